/**
 * Dictionary members that contain an image, audio, video or file, in the messages of all protocols. `holds`
 * is the form of the value: Base64, a URL, or either. `kind` is the kind of medium if the member name implies
 * it. `needs` is a condition for a member to count as a medium:
 *
 * - `medium`: a `type` that names a medium, a media type of an image, audio or video, or bytes with a known
 *   signature;
 * - `type`: a `type` that names a medium;
 * - `typed`: such a `type`, or any media type;
 * - `generated`: the type of an image that OpenAI's Responses generated;
 * - `file`: the dictionary is the member `file` of another one, as in A2A 0.3, or a link of MCP;
 * - `about`: the dictionary also has a media type or a file name.
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

/** The media kind for values of `type` and for names of the enclosing member, in addition to the names of the kinds. */
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

/** Members with a media type; `format` has only its second half. */
export const MEDIA_TYPE_KEYS = ['mimeType', 'mediaType', 'media_type', 'mime_type', 'format'] as const;

/** Members with a file name. */
export const MEDIA_NAME_KEYS = ['filename', 'file_name', 'name'] as const;

/** File extensions by media type. Files of other types get the extension for plain bytes. */
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

/**
 * The kinds of content parts in all protocols. `media` is the prefix of a kind's media types, for protocols
 * that do not name kinds; undefined if parts of this kind contain no bytes.
 */
export const PARTS = [
  { name: 'text', media: undefined },
  { name: 'refusal', media: undefined },
  { name: 'data', media: undefined },
  { name: 'image', media: 'image/' },
  { name: 'audio', media: 'audio/' },
  { name: 'video', media: 'video/' },
  { name: 'file', media: '' },
] as const satisfies readonly { readonly name: string; readonly media: string | undefined }[];

export type PartType = (typeof PARTS)[number]['name'];

/** The kind by its name; undefined for any other text. */
export function findPart(name: string | undefined): (typeof PARTS)[number] | undefined {
  return PARTS.find(row => row.name === name);
}

/** Media types by the prefix of their Base64. */
export const MEDIA_SIGNATURES = [
  { start: 'iVBORw0KGgo', media: 'image/png' },
  { start: '/9j/', media: 'image/jpeg' },
  { start: 'R0lGOD', media: 'image/gif' },
  { start: 'JVBERi0', media: 'application/pdf' },
  { start: 'SUQz', media: 'audio/mpeg' },
  { start: 'T2dnUw', media: 'audio/ogg' },
] as const;

/** The media type of unknown bytes. */
export const ANY_MEDIA = 'application/octet-stream';
