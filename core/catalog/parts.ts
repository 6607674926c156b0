/**
 * The parts of a content, and what each protocol calls them. A part is a neutral dictionary: its `type`, then what it holds
 * (`text`, `data` or `url`), then the rest. Bytes are base64. `mcp` is the type of a block, undefined where MCP has none of
 * this kind; `aio` is the type of a value; `media` begins the media types by which A2A tells what bytes are, and `bare`
 * stands for a media type that nobody names.
 */
export const PARTS = [
  { name: 'text', mcp: 'text', aio: 'text', media: undefined, isFile: false },
  { name: 'image', mcp: 'image', aio: 'image', media: 'image/', isFile: true },
  { name: 'audio', mcp: 'audio', aio: 'audio', media: 'audio/', isFile: true },
  { name: 'video', mcp: undefined, aio: 'video', media: 'video/', isFile: true },
  { name: 'file', mcp: undefined, aio: 'file', media: undefined, isFile: true },
  { name: 'data', mcp: undefined, aio: undefined, media: undefined, isFile: false },
] as const satisfies readonly PartRow[];

export interface PartRow {
  readonly name: string;
  readonly mcp: string | undefined;
  readonly aio: string | undefined;
  readonly media: string | undefined;
  /** True for one that holds bytes or says where they are. */
  readonly isFile: boolean;
}

/** The row of a kind of part by its name; undefined for any other text. */
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
