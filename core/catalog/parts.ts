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
