/**
 * The command of lenses for images, sounds, videos and files.
 * Its arguments are the document's URI and the position.
 */
export const MEDIA_COMMAND = 'parley.showMedia';
