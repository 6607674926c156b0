/**
 * The members of dictionaries that hold a picture, a sound, a video or a file, in the messages of all protocols. `holds`
 * says what stands there: Base64, an address, or either. Where it says `kind`, the name alone tells what it is; others
 * need what `needs` says:
 *
 * - `medium`: a type that is one of a medium, a media type of a picture, sound or video, or bytes that begin like one;
 * - `type`: a type that is one of a medium;
 * - `typed`: such a type, or any media type;
 * - `generated`: the type of a picture that OpenAI's Responses made;
 * - `file`: the dictionary is the member `file` of another one, as in A2A 0.3, or a link of MCP;
 * - `about`: a media type or a file name beside it.
 */
export const MEDIA_HOLDERS = [
  { key: 'data', holds: 'bytes', kind: undefined, needs: 'medium' },
  { key: 'value', holds: 'either', kind: undefined, needs: 'type' },
  { key: 'blob', holds: 'bytes', kind: undefined, needs: undefined },
  { key: 'raw', holds: 'bytes', kind: undefined, needs: 'about' },
  { key: 'bytes', holds: 'bytes', kind: undefined, needs: 'file' },
  { key: 'file_data', holds: 'bytes', kind: 'file', needs: undefined },
  { key: 'result', holds: 'bytes', kind: 'image', needs: 'generated' },
  { key: 'image_url', holds: 'either', kind: 'image', needs: undefined },
  { key: 'audio_url', holds: 'either', kind: 'audio', needs: undefined },
  { key: 'video_url', holds: 'either', kind: 'video', needs: undefined },
  { key: 'file_url', holds: 'either', kind: 'file', needs: undefined },
  { key: 'url', holds: 'address', kind: undefined, needs: 'typed' },
  { key: 'uri', holds: 'address', kind: undefined, needs: 'file' },
] as const satisfies readonly HolderRow[];

export interface HolderRow {
  readonly key: string;
  readonly holds: 'bytes' | 'address' | 'either';
  readonly kind: MediaKind | undefined;
  readonly needs: 'medium' | 'type' | 'typed' | 'generated' | 'file' | 'about' | undefined;
}

export const MEDIA_KINDS = ['image', 'audio', 'video', 'file'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** What a `type`, or the member that a dictionary stands in, tells of its kind, beside the kinds' own names. */
export const KIND_WORDS: ReadonlyMap<string, MediaKind> = new Map<string, MediaKind>([
  ...MEDIA_KINDS.map(kind => [kind, kind] as const),
  ['input_image', 'image'],
  ['output_image', 'image'],
  ['image_url', 'image'],
  ['image_generation_call', 'image'],
  ['input_audio', 'audio'],
  ['output_audio', 'audio'],
  ['audio_url', 'audio'],
  ['video_url', 'video'],
  ['input_file', 'file'],
  ['resource_link', 'file'],
]);

/** Members that name a media type, or as `format` the second half of one. */
export const MEDIA_TYPE_KEYS = ['mimeType', 'mediaType', 'media_type', 'mime_type', 'format'] as const;

/** Members that name a file. */
export const MEDIA_NAME_KEYS = ['filename', 'file_name', 'name'] as const;

/** How files of media types end. A type that is not here ends as bytes do. */
export const MEDIA_ENDINGS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
  ['audio/wav', 'wav'],
  ['audio/ogg', 'ogg'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
  ['application/pdf', 'pdf'],
  ['application/json', 'json'],
  ['application/zip', 'zip'],
  ['text/plain', 'txt'],
  ['text/csv', 'csv'],
  ['text/markdown', 'md'],
]);
