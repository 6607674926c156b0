/**
 * The kinds of messages in all protocols, with their fields in addition to the common ones. The names are
 * those of plain typed JSON; each protocol's reader and writer map them to its own messages.
 */
export const MESSAGE_KINDS = [
  { name: 'call', role: 'request', fields: ['tool', 'arguments', 'timeout'] },
  { name: 'list', role: 'request', fields: [] },
  { name: 'describe', role: 'request', fields: ['tool'] },
  { name: 'task', role: 'request', fields: ['task', 'content', 'items', 'constraints', 'deadline'] },
  { name: 'query', role: 'request', fields: ['query', 'format'] },
  { name: 'negotiate', role: 'request', fields: ['supported', 'selected'] },
  { name: 'result', role: 'reply', fields: ['data', 'content', 'items', 'tools', 'declaration', 'metadata'] },
  { name: 'error', role: 'reply', fields: ['protocol', 'code', 'text', 'data'] },
  { name: 'chunk', role: 'part', fields: ['data', 'content', 'items', 'event', 'metadata'] },
  { name: 'end', role: 'part', fields: [] },
  // A value that is not a message, such as a fragment of a file.
  { name: 'value', role: 'none', fields: ['data'] },
] as const satisfies readonly MessageKindRow[];

export const COMMON_MESSAGE_FIELDS = [
  /** The id that a reply refers to; absent if it equals the message's number, null for a notification. */
  'id',
  'session',
  'trace',
  'agent',
  'signature',
  /** For a named stream: its name, the index of this part, the number of parts, and whether this part is the last. */
  'stream',
  'index',
  'total',
  'final',
  /** Members that only one protocol has, unchanged, by the protocol's name. */
  'rest',
] as const;

export interface MessageKindRow {
  readonly name: string;
  /** A reply responds to a request; a part is one of several responses to a request; `none` is for values. */
  readonly role: 'request' | 'reply' | 'part' | 'none';
  readonly fields: readonly string[];
}

export type MessageKind = (typeof MESSAGE_KINDS)[number]['name'];

export type MessageField =
  | (typeof MESSAGE_KINDS)[number]['fields'][number]
  | (typeof COMMON_MESSAGE_FIELDS)[number];

/** The names of all fields, each once. */
export const MESSAGE_FIELDS: readonly MessageField[] = [
  ...new Set([...MESSAGE_KINDS.flatMap<MessageField>(row => row.fields), ...COMMON_MESSAGE_FIELDS]),
];

/** The kind by its name; undefined for any other text. */
export function findMessageKind(name: unknown): (typeof MESSAGE_KINDS)[number] | undefined {
  return KINDS_BY_NAME.get(name);
}

const KINDS_BY_NAME: ReadonlyMap<unknown, (typeof MESSAGE_KINDS)[number]> = new Map(
  MESSAGE_KINDS.map(row => [row.name, row]),
);

/** The field by its name; undefined for any other text. */
export function findMessageField(name: string): MessageField | undefined {
  return FIELDS_BY_NAME.get(name);
}

const FIELDS_BY_NAME: ReadonlyMap<string, MessageField> = new Map(MESSAGE_FIELDS.map(name => [name, name]));
