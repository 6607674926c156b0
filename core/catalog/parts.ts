/**
 * The kinds of parts that the content of a message has, whatever its protocol. `media` begins the media types of a kind: a
 * protocol that names no kinds has them instead. Where it is undefined, the part holds no bytes.
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

/** Media types by how their base64 begins. */
export const MEDIA_SIGNATURES = [
  { start: 'iVBORw0KGgo', media: 'image/png' },
  { start: '/9j/', media: 'image/jpeg' },
  { start: 'R0lGOD', media: 'image/gif' },
  { start: 'JVBERi0', media: 'application/pdf' },
  { start: 'SUQz', media: 'audio/mpeg' },
  { start: 'T2dnUw', media: 'audio/ogg' },
] as const;

/** The media type of bytes of which nothing is known. */
export const ANY_MEDIA = 'application/octet-stream';
