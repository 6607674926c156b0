/**
 * What a message can be, whatever its protocol, and the fields that it may have beside the common ones. The names are
 * those of plain typed JSON; each protocol's file says where its own messages hold them.
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
  // Any value that is no message: a fragment of a file.
  { name: 'value', role: 'none', fields: ['data'] },
] as const satisfies readonly MessageKindRow[];

/** Fields that any message may have. */
export const COMMON_MESSAGE_FIELDS = [
  /** What a reply names its request by; absent for the number that the message has anyhow, null for a notification. */
  'id',
  'session',
  'trace',
  'agent',
  'signature',
  /** Of a stream that is named: its name, which part this is, how many there are, and whether it is the last. */
  'stream',
  'index',
  'total',
  'final',
  /** What only one protocol knows, by the protocol's name: its members as they were. */
  'rest',
] as const;

export interface MessageKindRow {
  readonly name: string;
  /** A reply answers a request; a part is one of several that answer it; a value is none of them. */
  readonly role: 'request' | 'reply' | 'part' | 'none';
  readonly fields: readonly string[];
}

export type MessageKind = (typeof MESSAGE_KINDS)[number]['name'];

export type MessageField =
  (typeof MESSAGE_KINDS)[number]['fields'][number] | (typeof COMMON_MESSAGE_FIELDS)[number];

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
