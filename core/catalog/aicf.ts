/**
 * The commands of AICF-RPC 1.0 ("Commands", "Response Format", "Streaming Responses"). `reading` is how the
 * rest of the line is split: `split` at every `|`; `rest` not at all, because a raw `|` belongs to the only
 * field; `code` once, after the code.
 */
export const AICF_COMMANDS = [
  {
    name: 'CALL',
    direction: 'request',
    reading: 'split',
    syntax: 'CALL|tool|argument…',
    summary: 'Calls a tool with arguments in the order in which the tool declares them.',
    example: 'CALL|figma.getFile|abc123|1.0',
    snippet: 'CALL|${1:tool}|${2:argument}',
    fields: [
      { name: 'tool', role: 'tool', isRequired: true, repeats: false, summary: 'The tool to call.' },
      {
        name: 'argument',
        role: 'argument',
        isRequired: false,
        repeats: true,
        summary: 'An argument: text, a number, JSON, or `a,b,c` for an array.',
      },
    ],
  },
  {
    name: 'LIST',
    direction: 'request',
    reading: 'split',
    syntax: 'LIST',
    summary: 'Requests the names of all tools. The answer is `TOOLS`.',
    example: 'LIST',
    snippet: 'LIST',
    fields: [],
  },
  {
    name: 'INFO',
    direction: 'request',
    reading: 'split',
    syntax: 'INFO|tool',
    summary: 'Requests the description and the arguments of one tool. The answer is `TOOL`.',
    example: 'INFO|figma.getFile',
    snippet: 'INFO|${1:tool}',
    fields: [
      { name: 'tool', role: 'tool', isRequired: true, repeats: false, summary: 'The tool to describe.' },
    ],
  },
  {
    name: 'OK',
    direction: 'response',
    reading: 'rest',
    syntax: 'OK|data',
    summary: 'The call succeeded. `OK` without `|` is null.',
    example: 'OK|{"name":"My Design","id":"abc123"}',
    snippet: 'OK|${1:data}',
    fields: [
      {
        name: 'data',
        role: 'data',
        isRequired: false,
        repeats: false,
        summary: 'The result: JSON or text, up to the end of the line.',
      },
    ],
  },
  {
    name: 'ERR',
    direction: 'response',
    reading: 'code',
    syntax: 'ERR|code|message',
    summary: 'The request failed.',
    example: 'ERR|404|Tool not found: figma.getFile',
    snippet: 'ERR|${1|400,404,422,500|}|${2:message}',
    fields: [
      {
        name: 'code',
        role: 'code',
        isRequired: true,
        repeats: false,
        summary: 'What kind of failure it was: 400, 404, 422 or 500.',
      },
      {
        name: 'message',
        role: 'data',
        isRequired: false,
        repeats: false,
        summary: 'What went wrong, up to the end of the line.',
      },
    ],
  },
  {
    name: 'TOOLS',
    direction: 'response',
    reading: 'split',
    syntax: 'TOOLS|name…',
    summary: 'The names of all tools: the answer to `LIST`.',
    example: 'TOOLS|figma.getFile|figma.getComments',
    snippet: 'TOOLS|${1:tool}',
    fields: [
      { name: 'name', role: 'name', isRequired: false, repeats: true, summary: 'The name of a tool.' },
    ],
  },
  {
    name: 'TOOL',
    direction: 'response',
    reading: 'split',
    syntax: 'TOOL|name|description|argument:type…',
    summary: 'One tool with its arguments: the answer to `INFO`.',
    example: 'TOOL|figma.getFile|Get Figma file data|fileKey:string|version:string?',
    snippet: 'TOOL|${1:tool}|${2:description}|${3:argument}:${4:string}',
    fields: [
      { name: 'name', role: 'name', isRequired: true, repeats: false, summary: 'The name of the tool.' },
      {
        name: 'description',
        role: 'description',
        isRequired: false,
        repeats: false,
        summary: 'What the tool does.',
      },
      {
        name: 'argument',
        role: 'declaration',
        isRequired: false,
        repeats: true,
        summary: 'The name and the type of an argument; `?` at the end marks it optional.',
      },
    ],
  },
  {
    name: 'STREAM',
    direction: 'response',
    reading: 'rest',
    syntax: 'STREAM|chunk',
    summary: 'A chunk of a result. The chunks are joined without a separator; `END` or `ERR` ends them.',
    example: 'STREAM|Once upon',
    snippet: 'STREAM|${1:chunk}',
    fields: [
      {
        name: 'chunk',
        role: 'data',
        isRequired: true,
        repeats: false,
        summary: 'The next chunk, up to the end of the line.',
      },
    ],
  },
  {
    name: 'END',
    direction: 'response',
    reading: 'split',
    syntax: 'END',
    summary: 'Ends a streamed result.',
    example: 'END',
    snippet: 'END',
    fields: [],
  },
] as const satisfies readonly AicfCommandRow[];

export interface AicfCommandRow {
  readonly name: string;
  readonly direction: AicfSide;
  readonly reading: 'split' | 'rest' | 'code';
  readonly syntax: string;
  /** Markdown. */
  readonly summary: string;
  readonly example: string;
  /** In the LSP's snippet syntax. */
  readonly snippet: string;
  readonly fields: readonly AicfFieldRow[];
}

export interface AicfFieldRow {
  readonly name: string;
  readonly role: 'tool' | 'argument' | 'data' | 'code' | 'name' | 'description' | 'declaration';
  readonly isRequired: boolean;
  readonly repeats: boolean;
  /** Markdown. */
  readonly summary: string;
}

export type AicfCommandName = (typeof AICF_COMMANDS)[number]['name'];

/** Types of arguments in `TOOL` lines; no type means `any`. */
export const AICF_TYPES = [
  {
    name: 'string',
    aliases: ['str', 'text', 'varchar', 'uuid', 'url', 'uri', 'date', 'datetime'],
    summary: 'Text. An empty field is the empty string.',
  },
  {
    name: 'number',
    aliases: ['num', 'float', 'double', 'decimal', 'real'],
    summary: 'A decimal number, such as `1920`, `-0.5` or `1e3`. An empty field is absent.',
  },
  {
    name: 'integer',
    aliases: ['int', 'long', 'int32', 'int64'],
    summary: 'A whole number in decimal digits. An empty field is absent.',
  },
  { name: 'boolean', aliases: ['bool', 'flag'], summary: '`true` or `false`. An empty field is absent.' },
  {
    name: 'object',
    aliases: ['obj', 'dict', 'map', 'json', 'record', 'struct'],
    summary: 'A JSON object, such as `{"key":"value"}`. An empty field is absent.',
  },
  {
    name: 'array',
    aliases: ['list', 'tuple', 'set'],
    summary: 'A JSON array or values with commas, `a,b,c`. An empty field is absent.',
  },
  {
    name: 'any',
    aliases: ['unknown', 'mixed', 'value'],
    summary: 'Any text or JSON: what an argument without a type takes.',
  },
] as const satisfies readonly AicfTypeRow[];

export interface AicfTypeRow {
  readonly name: string;
  /** Lower-case names of the type in other languages. They are not valid types, but their intended type is clear. */
  readonly aliases: readonly string[];
  /** Markdown. */
  readonly summary: string;
}

export type AicfTypeName = (typeof AICF_TYPES)[number]['name'];

/** Codes of `ERR` lines ("Error Response"). */
export const AICF_ERROR_CODES = [
  { code: 400, title: 'Bad Request', summary: 'The line has no valid form.' },
  { code: 404, title: 'Tool Not Found', summary: 'No tool has this name.' },
  {
    code: 422,
    title: 'Invalid Arguments',
    summary: 'An argument is missing, is too many or has the wrong type.',
  },
  { code: 500, title: 'Internal Server Error', summary: 'The tool ran and failed, or the server did.' },
] as const satisfies readonly AicfErrorCodeRow[];

export interface AicfErrorCodeRow {
  readonly code: number;
  readonly title: string;
  /** Markdown. */
  readonly summary: string;
}

/** Escapes in fields ("Special Characters"). Servers write `\t` in responses for a TAB; a request has no such escape. */
export const AICF_ESCAPES = [
  { letter: '|', text: '|', side: 'both', summary: 'A literal pipe.' },
  { letter: '\\', text: '\\', side: 'both', summary: 'A backslash.' },
  { letter: 'n', text: '\n', side: 'both', summary: 'A line feed.' },
  { letter: 't', text: '\t', side: 'response', summary: 'A tab, in responses.' },
] as const satisfies readonly AicfEscapeRow[];

/** The direction of a line: responses have one more escape than requests. */
export type AicfSide = 'request' | 'response';

export interface AicfEscapeRow {
  /** The character after the backslash. */
  readonly letter: string;
  readonly text: string;
  /** The directions in which the escape is read. A printer writes only escapes of both directions. */
  readonly side: AicfSide | 'both';
  readonly summary: string;
}

/** The escapes that are read in one direction. */
export function listEscapes(side: AicfSide): readonly AicfEscapeRow[] {
  return AICF_ESCAPES.filter(row => row.side === 'both' || row.side === side);
}

/** Labels that may precede a message, as in the transcripts of the specification. */
export const AICF_PREFIXES = [
  { text: 'Request:', direction: 'request' },
  { text: 'Response:', direction: 'response' },
] as const satisfies readonly AicfPrefixRow[];

export interface AicfPrefixRow {
  readonly text: string;
  readonly direction: AicfSide;
}

/** Names of sections in AI Context Format memory files, the other format of `.aicf`. */
export const CONTEXT_SECTIONS = [
  { name: 'AICF_VERSION', summary: 'The version of the format that the file is written in.' },
  { name: 'CONVERSATION', summary: 'One conversation: its times, its length and its topic.' },
  { name: 'CONVERSATIONS', summary: 'An index of conversations.' },
  { name: 'SESSION', summary: 'One working session and its outcome.' },
  { name: 'STATE', summary: 'The state of the work.' },
  { name: 'FLOW', summary: 'The steps of a conversation in their order.' },
  { name: 'DETAILS', summary: 'Facts about one topic.' },
  { name: 'DECISIONS', summary: 'What was decided, and why.' },
  { name: 'INSIGHTS', summary: 'What was learned, often with a priority.' },
  { name: 'WORK', summary: 'What was worked on.' },
  { name: 'CURRENT_WORK', summary: 'What is being worked on now.' },
  { name: 'RECENT_ACTIVITY', summary: 'What happened last.' },
  { name: 'NEXT_STEPS', summary: 'What is to be done next.' },
  { name: 'TASKS', summary: 'A table of tasks.' },
  { name: 'ISSUES', summary: 'A table of known issues.' },
  { name: 'TECHNICAL', summary: 'Technical notes.' },
  { name: 'PROJECT', summary: 'The project: its name, version and place.' },
  { name: 'COUNTS', summary: 'How many entries of each kind there are.' },
  { name: 'CONTEXT', summary: 'Background in free text.' },
  { name: 'MEMORY', summary: 'One memory: its kind, its time and its content.' },
  { name: 'METADATA', summary: 'Facts about the entry above.' },
  { name: 'LINKS', summary: 'References between entries.' },
  { name: 'EMBEDDING', summary: 'A vector that represents an entry in a search.' },
  { name: 'CONSOLIDATION', summary: 'How older entries were merged.' },
  { name: 'SCHEMA', summary: 'The names of the columns of the rows in the next `@DATA`.' },
  { name: 'DATA', summary: 'Rows whose columns the last `@SCHEMA` names.' },
  { name: 'NOTES', summary: 'Remarks in free text.' },
] as const satisfies readonly ContextSectionRow[];

export interface ContextSectionRow {
  readonly name: string;
  /** Markdown. */
  readonly summary: string;
}

const COMMANDS_BY_NAME: ReadonlyMap<string, (typeof AICF_COMMANDS)[number]> = new Map(
  AICF_COMMANDS.map(row => [row.name, row]),
);
const TYPES_BY_NAME: ReadonlyMap<string, (typeof AICF_TYPES)[number]> = new Map(
  AICF_TYPES.map(row => [row.name, row]),
);
const TYPES_BY_ALIAS: ReadonlyMap<string, (typeof AICF_TYPES)[number]> = new Map(
  AICF_TYPES.flatMap(row => row.aliases.map(alias => [alias, row])),
);
const CODES_BY_TEXT: ReadonlyMap<string, (typeof AICF_ERROR_CODES)[number]> = new Map(
  AICF_ERROR_CODES.map(row => [String(row.code), row]),
);
const SECTIONS_BY_NAME: ReadonlyMap<string, ContextSectionRow> = new Map(
  CONTEXT_SECTIONS.map(row => [row.name, row]),
);

/** A command by its exact name; undefined for any other text. */
export function findCommand(name: string): (typeof AICF_COMMANDS)[number] | undefined {
  return COMMANDS_BY_NAME.get(name);
}

/**
 * The row of a field of a command by its index from 0 after
 * the command; undefined if the command has no such field.
 */
export function findFieldRow(command: AicfCommandName, index: number): AicfFieldRow | undefined {
  const fields: readonly AicfFieldRow[] = COMMANDS_BY_NAME.get(command)?.fields ?? [];
  const last = fields.at(-1);
  return fields[index] ?? (last?.repeats ? last : undefined);
}

/** An argument type by its exact name; undefined for any other text. */
export function findArgumentType(name: string): (typeof AICF_TYPES)[number] | undefined {
  return TYPES_BY_NAME.get(name);
}

/** The argument type for a lower-case type name of another language; undefined for any other text. */
export function findTypeByAlias(alias: string): (typeof AICF_TYPES)[number] | undefined {
  return TYPES_BY_ALIAS.get(alias);
}

/** An error code by its decimal digits; undefined for any other text. */
export function findErrorCode(text: string): (typeof AICF_ERROR_CODES)[number] | undefined {
  return CODES_BY_TEXT.get(text);
}

/** A known section of context files by its name without `@`; undefined if it is unknown. */
export function findContextSection(name: string): ContextSectionRow | undefined {
  return SECTIONS_BY_NAME.get(name);
}
