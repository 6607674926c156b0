/** The command behind a lens of a picture, sound, video or file; its arguments are the document's URI and its position. */
export const MEDIA_COMMAND = 'parley.showMedia';
