/** The value types of LightAICL 1.0 section 3: `[s:…]` and so on. */
export const TYPE_TAGS = [
  {
    tag: 's',
    name: 'text',
    title: 'string',
    example: '[s:temperature]',
    summary:
      'UTF-8 text up to the next `]`. A bracket in it is written `\\u005D`, and a carriage return `\\u000D`.',
  },
  {
    tag: 'i',
    name: 'int',
    title: 'integer',
    example: '[i:-42]',
    summary: '64-bit signed integer, from -9223372036854775808 to 9223372036854775807.',
  },
  {
    tag: 'f',
    name: 'float',
    title: 'float',
    example: '[f:3.1415926535]',
    summary: 'IEEE 754 double; `inf`, `-inf` and `nan` are written so.',
  },
  { tag: 'b', name: 'bool', title: 'boolean', example: '[b:true]', summary: '`true` or `false`.' },
  {
    tag: 'l',
    name: 'list',
    title: 'list',
    example: '[l:[s:Apple],[i:3]]',
    summary: 'Values of any type, separated by commas.',
  },
  {
    tag: 'd',
    name: 'dict',
    title: 'dictionary',
    example: '[d:[s:price]:[f:899.99]]',
    summary: 'Pairs of a text key and a value, separated by commas.',
  },
  {
    tag: 't',
    name: 'tensor',
    title: 'tensor',
    example: '[t:uint8:2,2:009CJ]',
    summary: 'An array: data type, shape, then the bytes in Base85 (RFC 1924), little-endian, row-major.',
  },
] as const satisfies readonly TypeTagRow[];

export interface TypeTagRow {
  readonly tag: string;
  /** The kind of the node in the syntax tree. */
  readonly name: string;
  readonly title: string;
  readonly example: string;
  /** Markdown. */
  readonly summary: string;
}

export type ValueKind = (typeof TYPE_TAGS)[number]['name'];

/** The header fields, first in a message and in this order (LightAICL 1.0 section 2.1). */
export const HEADER_FIELDS = [
  { key: 'protocol', types: ['text'], required: true, summary: "The protocol's name: `LightAICL`." },
  {
    key: 'session_id',
    types: ['text'],
    required: true,
    summary: 'Names the conversation that the message belongs to; not empty.',
  },
  { key: 'msg_type', types: ['text'], required: true, summary: 'What kind of message it is.' },
] as const satisfies readonly FieldRow[];

/** Fields that any message may carry (LightAICL 1.0 section 8). */
export const COMMON_FIELDS = [
  { key: 'signature', types: ['text'], required: false, summary: 'A digital signature over the message.' },
  {
    key: 'stream_id',
    types: ['text'],
    required: false,
    summary: 'Names a chunk of a stream: `name_k/n`, the k-th of n.',
  },
  {
    key: 'is_final',
    types: ['bool'],
    required: false,
    summary: 'True on the last chunk of a stream, and only there.',
  },
] as const satisfies readonly FieldRow[];

/** The message types of LightAICL 1.0 section 2.2 with their fields. */
export const MESSAGE_TYPES = [
  {
    name: 'task_request',
    summary: 'Asks for a new task.',
    role: 'request',
    fields: [
      { key: 'task', types: ['text'], required: true, summary: 'What to do.' },
      {
        key: 'constraints',
        types: ['dict', 'list', 'text'],
        required: true,
        summary: 'Under which conditions.',
      },
      { key: 'deadline', types: ['text', 'int'], required: false, summary: 'Until when.' },
    ],
  },
  {
    name: 'data_query',
    summary: 'Asks for certain data.',
    role: 'request',
    fields: [
      { key: 'query', types: ['text', 'dict'], required: true, summary: 'What to look up.' },
      {
        key: 'data_format',
        types: ['text', 'dict'],
        required: false,
        summary: 'In which form the data should come.',
      },
    ],
  },
  {
    name: 'tool_call',
    summary: 'Calls an external tool.',
    role: 'request',
    fields: [
      { key: 'tool', types: ['text'], required: true, summary: "The tool's name." },
      { key: 'params', types: ['dict'], required: true, summary: "The tool's arguments by name." },
      {
        key: 'timeout',
        types: ['int', 'float'],
        required: false,
        summary: 'How long the call may take, in seconds.',
      },
    ],
  },
  {
    name: 'result',
    summary: 'Answers with data.',
    role: 'reply',
    oneOf: ['data', 'content'],
    fields: [
      {
        key: 'data',
        types: ['text', 'int', 'float', 'bool', 'list', 'dict', 'tensor'],
        required: false,
        summary: 'The data; either this or content is required.',
      },
      {
        key: 'content',
        types: ['text', 'int', 'float', 'bool', 'list', 'dict', 'tensor'],
        required: false,
        summary: 'The content; either this or data is required.',
      },
      { key: 'metadata', types: ['dict'], required: false, summary: 'Facts about the data.' },
    ],
  },
  {
    name: 'error',
    summary: 'Answers with an error.',
    role: 'reply',
    fields: [
      { key: 'code', types: ['int'], required: true, summary: 'The error code.' },
      { key: 'reason', types: ['text'], required: true, summary: "The code's name." },
      { key: 'detail', types: ['text', 'dict'], required: false, summary: 'What went wrong, for a person.' },
    ],
  },
  {
    name: 'protocol_negotiate',
    summary: 'Proposes or selects protocol versions.',
    role: 'request',
    fields: [
      {
        key: 'supported',
        types: ['list'],
        items: 'text',
        required: true,
        summary: 'The versions that the sender speaks.',
      },
      { key: 'selected', types: ['text'], required: false, summary: 'The version that the receiver chose.' },
    ],
  },
] as const satisfies readonly MessageTypeRow[];

export interface FieldRow {
  readonly key: string;
  readonly types: readonly ValueKind[];
  /** The required type of list items. */
  readonly items?: ValueKind;
  readonly required: boolean;
  readonly summary: string;
}

export interface MessageTypeRow {
  readonly name: string;
  readonly summary: string;
  /** A request can be sent; a reply responds to one. */
  readonly role: 'request' | 'reply';
  /** At least one of these fields is required. */
  readonly oneOf?: readonly string[];
  readonly fields: readonly FieldRow[];
}

export type MessageTypeName = (typeof MESSAGE_TYPES)[number]['name'];

/** Error codes of LightAICL 1.0 section 4.1; the range for tools that failed is our interpretation of its chart. */
export const AICL_ERRORS = [
  {
    code: 1000,
    name: 'PROTOCOL_ERROR',
    summary: 'The message is not valid LightAICL: syntax, header or an unknown type.',
  },
  { code: 1001, name: 'INVALID_TENSOR', summary: "A tensor's type, shape and data do not agree." },
  {
    code: 2001,
    name: 'MISSING_FIELD',
    alias: 'MISSING_REQUIRED_FIELD',
    summary: 'A required field is missing.',
  },
  { code: 3001, name: 'TOOL_UNAVAILABLE', summary: 'The requested tool is not available.' },
  { code: 4001, name: 'DATA_FORMAT_ERROR', summary: 'A value does not have the requested form.' },
  { code: 5000, last: 5099, name: 'TOOL_FAILED', summary: 'The tool ran and failed.' },
] as const satisfies readonly AiclErrorRow[];

export interface AiclErrorRow {
  readonly code: number;
  /** The last code of a range; without it the row is one code. */
  readonly last?: number;
  readonly name: string;
  /** Another name that the documents use for the code. */
  readonly alias?: string;
  readonly summary: string;
}

const ERROR_ROWS: readonly AiclErrorRow[] = AICL_ERRORS;

/** The row of an error code, ranges included; undefined for an unknown one. */
export function findAiclError(code: number): AiclErrorRow | undefined {
  return ERROR_ROWS.find(row => row.code <= code && code <= (row.last ?? row.code));
}

/** The name of the protocol in a header. */
export const AICL_PROTOCOL = 'LightAICL';

/** The maximum size of a message (LightAICL 1.0, section 9.2). */
export const MAX_MESSAGE_BYTES = 10_000_000;

/** The versions that we write, as named in `protocol_negotiate` (LightAICL 1.0, section 8.3). */
export const AICL_VERSIONS: readonly string[] = [`${AICL_PROTOCOL}_v1`];
