import type { RuleRow } from './rule-row.ts';

/** The schema of the examples of `aicf/argument-schema`. */
const ORDER_SCHEMA = JSON.stringify({
  type: 'object',
  properties: {
    order: {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        size: { enum: ['small', 'large'] },
        lines: { type: 'array', items: { $ref: '#/$defs/line' } },
      },
      required: ['id'],
      additionalProperties: false,
    },
  },
  $defs: {
    line: {
      type: 'object',
      properties: { sku: { type: 'string' }, lines: { type: 'array', items: { $ref: '#/$defs/line' } } },
      required: ['sku'],
    },
  },
});

/** The rules for `.aicf` files: those of AICF-RPC 1.0 first, then those of context files. */
export const AICF_RULES = [
  {
    code: 'aicf/wrong-case',
    severity: 'error',
    wire: 400,
    title: 'A command in the wrong case',
    explanation: 'Commands are written in capitals. Servers refuse `call` and `Call`.',
    good: ['CALL|figma.getFile|abc123', 'LIST'],
    bad: ['«call»|figma.getFile|abc123', '«List»'],
  },
  {
    code: 'aicf/command-blank',
    severity: 'error',
    wire: 400,
    title: 'A space beside the command',
    explanation:
      'A message begins with its command at the start of the line, and the delimiter follows directly. The formatter removes spaces there.',
    good: ['CALL|figma.getFile| abc ', 'LIST '],
    bad: ['«  »CALL|figma.getFile|abc123', 'CALL« »|figma.getFile', '«\t»LIST'],
  },
  {
    code: 'aicf/missing-delimiter',
    severity: 'error',
    wire: 400,
    title: 'A space instead of the delimiter',
    explanation: 'Fields are separated by `|`, never by spaces.',
    good: ['CALL|figma.getFile|abc 123'],
    bad: ['«CALL» figma.getFile abc123', '«INFO» figma.getFile'],
  },
  {
    code: 'aicf/foreign-text',
    severity: 'error',
    wire: 400,
    title: 'Text that does not begin with a command',
    explanation:
      'Every line of an AICF-RPC file is one request or one response, or a container line: blank, a `#` line or three backquotes. Lines directly below a response are often the rest of its data, written by a server that does not escape line feeds; the fix joins them to it. Lines that follow each other are one issue.',
    good: ['# a note\nLIST', '```\nLIST\n```', 'OK|first\\nsecond'],
    bad: [
      'LIST\n«figma.getFile|abc123»',
      'OK|{\n«"name": 1\n\n}»\nLIST',
      'INFO|a\n«LIST a»',
      'LIST\n«OK done»',
      'LIST\n«calls|figma.getFile»',
    ],
  },
  {
    code: 'aicf/unknown-command',
    severity: 'warning',
    wire: 400,
    title: 'An unknown command',
    explanation:
      'AICF-RPC 1.0 has `CALL`, `LIST` and `INFO`, and the responses `OK`, `ERR`, `TOOLS`, `TOOL`, `STREAM` and `END`. It promises new commands, so another word in capitals is a warning, and can be sent.',
    good: ['CALL|figma.getFile'],
    bad: ['LIST\n«PING»', 'LIST\n«X»|a', 'LIST\n«CALLS»|figma.getFile'],
  },
  {
    code: 'aicf/prefix',
    severity: 'hint',
    isUnnecessary: true,
    title: 'A prefix as in a transcript',
    explanation:
      '`Request:` and `Response:` precede messages in transcripts. They are skipped and never sent.',
    good: ['LIST\nTOOLS|figma.getFile'],
    bad: ['«Request:»  LIST\n«Response:» TOOLS|figma.getFile'],
  },
  {
    code: 'aicf/missing-tool',
    severity: 'error',
    wire: 400,
    title: 'No name of a tool',
    explanation: '`CALL`, `INFO` and `TOOL` name a tool in their first field.',
    good: ['CALL|figma.getFile', 'INFO|figma.getFile'],
    bad: [
      '«CALL»',
      'CALL«|»',
      'INFO|« »',
      'TOOL«|»|Get Figma file data',
      'TOOLS|figma.getFile\nCALL«|»|figma.getFile|abc123',
    ],
  },
  {
    code: 'aicf/extra-fields',
    severity: 'warning',
    title: 'Fields that the command does not take',
    explanation: '`LIST` takes no field and `INFO` takes one. Running servers ignore the others.',
    good: ['LIST', 'INFO|figma.getFile'],
    bad: ['LIST«|figma|x»', 'INFO|figma.getFile«|all»'],
  },
  {
    code: 'aicf/text-after-end',
    severity: 'warning',
    title: 'Text after END',
    explanation:
      '`END` ends a stream and holds nothing. Text that belongs to the result goes into a `STREAM` line before it.',
    good: ['STREAM|a\nEND'],
    bad: ['STREAM|a\nEND«|b»', 'STREAM|a\nEND «of stream»'],
  },
  {
    code: 'aicf/stream-without-end',
    severity: 'warning',
    title: 'A stream without END',
    explanation:
      'A stream ends with `END`, or with `ERR` when it failed. Without it a reader does not know whether it has everything.',
    good: ['STREAM|a\nSTREAM|b\nEND', 'STREAM|a\nERR|500|stopped'],
    bad: ['STREAM|a\n«STREAM»|b\nLIST', '«STREAM»|a'],
  },
  {
    code: 'aicf/error-code',
    severity: 'error',
    title: 'An error code that is not a number',
    explanation: 'The first field of `ERR` is a number: 400, 404, 422 or 500.',
    good: ['ERR|404|Tool not found'],
    bad: [
      'ERR|«not found»|figma.getFile',
      '«ERR»',
      'ERR«|»|Tool not found',
      'ERR|«HTTP 404»',
      'ERR|«failed»',
    ],
  },
  {
    code: 'aicf/unknown-code',
    severity: 'warning',
    title: 'An unknown error code',
    explanation: 'AICF-RPC 1.0 defines 400, 404, 422 and 500. A reader has no meaning for another number.',
    good: ['ERR|500|Internal server error'],
    bad: ['ERR|«418»|I am a teapot', 'ERR|«+404»|Tool not found'],
  },
  {
    code: 'aicf/raw-pipe',
    severity: 'hint',
    title: 'A raw pipe in data',
    explanation:
      'The data of `OK` and `STREAM` and the message of `ERR` take the rest of the line, so a raw `|` in them is read as text. Write `\\|` for readers that split first.',
    good: ['OK|a\\|b'],
    bad: ['OK|a«|»b', 'ERR|500|a«|»b', 'STREAM|a«|»b\nEND'],
  },
  {
    code: 'aicf/stray-escape',
    severity: 'warning',
    title: 'A backslash that escapes nothing',
    explanation:
      'A field has the escapes `\\|`, `\\\\` and `\\n`, and in responses `\\t`. A backslash before any other character, or at the end, is itself here; other readers drop it. Double it. Reported once a field.',
    good: ['CALL|file.read|C:\\\\data\\\\docs', 'OK|a\\nb'],
    bad: [
      'CALL|text.find|«\\»d+ \\w',
      'CALL|grep|«\\»ref',
      'CALL|grep|«\\»table',
      'OK|a«\\»',
      'ERR|500|C:«\\»data',
    ],
  },
  {
    code: 'aicf/json-escape',
    severity: 'hint',
    title: 'A single backslash in JSON',
    explanation:
      '`\\"` and `\\uXXXX` in a JSON field mean the same whether a reader unescapes the field or not, so they work unchanged. Doubled, they also reach a reader that drops a backslash before any other character. Not reported where doubling would give JSON of two meanings.',
    good: ['CALL|note.add|{"text":"say \\\\"hi\\\\""}', 'CALL|note.add|{"path":"C:\\u005cnew"}'],
    bad: ['CALL|note.add|{"text":"say «\\»"hi\\""}', 'OK|"say «\\»"hi\\""'],
  },
  {
    code: 'aicf/path-escape',
    severity: 'warning',
    title: 'A path that is read with a line feed or a tab in it',
    explanation:
      'In `C:\\new` the `\\n` is a line feed, and in a response the `\\t` of `C:\\temp` is a tab. Double the backslashes of a path.',
    good: ['CALL|file.read|C:\\\\new\\\\table.txt'],
    bad: ['CALL|file.read|C:«\\n»ew\\\\a.txt', 'OK|\\\\host«\\t»emp'],
  },
  {
    code: 'aicf/broken-json',
    severity: 'error',
    wire: 422,
    title: 'An argument that must be JSON and is not',
    explanation:
      'The tool declares this argument as an object or an array, so its field must be valid JSON (an array may also be `a,b,c`).',
    good: ['TOOL|t|Test|o:object\nCALL|t|{"a":1}', 'TOOL|t|Test|l:array\nCALL|t|a,b,c'],
    bad: [
      'TOOL|t|Test|o:object\nCALL|t|{"a":«}»',
      'TOOL|t|Test|o:object\nCALL|t|{"a":1«,»}',
      'TOOL|t|Test|o:object\nCALL|t|{"a":[1,«2»',
      'TOOL|t|Test|o:object\nCALL|t|«name»',
      'TOOL|t|Test|l:array\nCALL|t|[«a»,b]',
    ],
  },
  {
    code: 'aicf/probable-json',
    severity: 'warning',
    title: 'A field that looks like JSON and is not',
    explanation:
      'A field that begins like JSON was probably meant as JSON. A raw `|` in it cuts it in two; the fix escapes it.',
    good: ['CALL|note.add|{"text":"a\\|b"}', 'CALL|note.add|[draft] title'],
    bad: [
      'CALL|note.add|{"text":"a«|»b"}',
      'CALL|note.add|[1,«2»',
      'CALL|note.add|{"text":"a«\\n»b"}',
      'CALL|note.add|{"text":"a\\|b" «"n"»:1}',
    ],
  },
  {
    code: 'aicf/ambiguous-json',
    severity: 'warning',
    title: 'JSON with two meanings',
    explanation:
      'This JSON is valid before and after unescaping, with different values: one reader sees other data than the next. Write the escapes in it as `\\uXXXX`, which means the same for all; the fixes do so, for one value or the other.',
    good: ['CALL|file.read|{"path":"C:/new"}', 'CALL|note.add|{"text":"say \\\\"hi\\\\""}'],
    bad: ['CALL|file.read|«{"path":"C:\\\\new"}»'],
  },
  {
    code: 'aicf/broken-data',
    severity: 'information',
    title: 'Data that begins like JSON and is text',
    explanation:
      'The data of `OK` is JSON where it parses, and text where it does not. This data begins like JSON and stops being JSON at one place, so that a reader gets a text. Data of up to 64 kB is checked.',
    good: ['OK|{"a":1}', 'OK|[1] a note', 'OK|{name}'],
    bad: ['OK|{"a":«}»', 'OK|{"a":"x\\|y" «"b"»:2}', 'OK|{"a":[1,2«}»'],
  },
  {
    code: 'aicf/duplicate-key',
    severity: 'warning',
    title: 'Two members of one name in JSON',
    explanation:
      'Readers of JSON keep the last member of a name, so the value of the other one is lost. JSON of up to 64 kB is checked.',
    good: ['CALL|note.add|{"a":1,"b":{"a":2}}', 'OK|[{"a":1},{"a":2}]'],
    bad: [
      'CALL|note.add|{"a":1,«"a"»:2}',
      'OK|{"a":1,"b":2,«"a"»:3}',
      'OK|{"a\\|b":1,"c":{"d":[0]},«"a\\\\u007cb"»:2}',
    ],
  },
  {
    code: 'aicf/rounded-number',
    severity: 'hint',
    title: 'A number that most readers round',
    explanation:
      'Most readers of JSON hold numbers as doubles: a whole number above 2^53 may lose its last digits, and one above 1.8e308 becomes infinite. Write such a number as a text. JSON of up to 64 kB is checked.',
    good: ['OK|{"id":9007199254740992}', 'OK|{"id":"12345678901234567890","share":0.3333333333333333333}'],
    bad: ['OK|{"id":«12345678901234567891»}', 'CALL|note.add|[«1e999»]'],
  },
  {
    code: 'aicf/unescaped-data',
    severity: 'hint',
    title: 'JSON that is valid only before unescaping',
    explanation:
      'The data of `OK` is unescaped and parsed; where that fails, the data as written is parsed. This server does not escape what it writes: a reader that only unescapes finds no JSON here.',
    good: ['OK|{"text":"a\\\\nb"}', 'OK|say \\n'],
    bad: ['OK|«{"text":"a\\nb"}»', 'OK|«{"text":"a|b\\nc"}»'],
  },
  {
    code: 'aicf/auth-field',
    severity: 'warning',
    title: 'A credential in a request',
    explanation:
      'A last field `AUTH:…` is a credential. It belongs in a secret and travels in a header: put `"Authorization": "Bearer ${secret:NAME}"` into the agent\'s `headers` in agents.json and remove the field.',
    good: ['CALL|note.add|AUTH: is a prefix|x', 'CALL|note.add|AUTH:'],
    bad: ['CALL|figma.getFile|abc123|«AUTH:token123»'],
  },
  {
    code: 'aicf/unknown-type',
    severity: 'warning',
    title: 'An unknown argument type',
    explanation:
      'Types are string, number, integer, boolean, object, array and any; no type means any. Such an argument is read as any.',
    good: ['TOOL|t|Test|a:string|b:number?|c'],
    bad: ['TOOL|t|Test|a:«text»|b:«int»?', 'TOOL|t|Test|a:«sting»', 'TOOL|t|Test|a:«colour»'],
  },
  {
    code: 'aicf/duplicate-argument',
    severity: 'warning',
    title: 'Two arguments of one name',
    explanation:
      'Arguments are given in their order here, but by their names over the JSON-RPC endpoint of the same server, where the second one hides the first.',
    good: ['TOOL|t|Test|a|b'],
    bad: ['TOOL|t|Test|a:string|b|«a:number»'],
  },
  {
    code: 'aicf/duplicate-tool',
    severity: 'hint',
    title: 'A tool that is listed twice',
    explanation: 'One name in a list is one tool, however often it occurs.',
    good: ['TOOLS|a|b', 'TOOLS|a\nTOOLS|a'],
    bad: ['TOOLS|a|b|«a»|«b»'],
  },
  {
    code: 'aicf/unknown-tool',
    severity: 'warning',
    wire: 404,
    title: 'A tool that is not listed',
    explanation:
      'A `TOOLS` line lists tools, and no `TOOLS` or `TOOL` line has this name. Below `# @agent NAME` the replies of that agent count, in all files of the workspace; without it those in the file that name no agent.',
    good: [
      'TOOLS|figma.getFile\nCALL|figma.getFile',
      'CALL|figma.getFile',
      '# @agent one\nLIST\nTOOLS|a\n# @agent two\nCALL|b\nCALL|c',
    ],
    bad: [
      'TOOLS|figma.getFile\nCALL|«figma.getFiel»',
      'TOOLS\nINFO|«figma.getFile»',
      '# @agent one\nLIST\nTOOLS|a\nLIST\nTOOLS|b\n# @agent one\nCALL|«b»',
    ],
  },
  {
    code: 'aicf/extra-arguments',
    severity: 'warning',
    wire: 422,
    title: 'More arguments than the tool takes',
    explanation:
      "The tool's `TOOL` line declares fewer arguments. Write `\\|` for a pipe that belongs to an argument.",
    good: ['TOOL|t|Test|a\nCALL|t|1'],
    bad: ['TOOL|t|Test|a\nCALL|t|1«|2|3»', 'TOOL|t|Test|a:number\nCALL|t|1«|2»'],
  },
  {
    code: 'aicf/argument-type',
    severity: 'warning',
    wire: 422,
    title: 'An argument of the wrong type',
    explanation: "The tool's `TOOL` line declares another type.",
    good: ['TOOL|t|Test|a:number|b:boolean|c:integer\nCALL|t|1.5|true|-7', 'TOOL|t|Test|a:number?\nCALL|t|'],
    bad: [
      'TOOL|t|Test|a:number|b:boolean|c:integer\nCALL|t|«x»|«yes»|«1.5»',
      'TOOL|t|Test|o:object\nCALL|t|«[1]»',
      'TOOL|t|Test|a:boolean|b:integer|c:number\nCALL|t|«True»|«3.0»|«"5"»',
    ],
  },
  {
    code: 'aicf/argument-schema',
    severity: 'warning',
    wire: 422,
    title: 'JSON that does not fit the schema of the tool',
    explanation:
      'Agents of MCP, AIO and JSON-RPC describe the arguments of a tool by a JSON Schema. JSON in an argument is checked against it: types, required members, allowed values, unknown members and limits, at any depth. Patterns, formats and `uniqueItems` are not checked, because an agent could make them very slow; nor is JSON above 64 kB, and a schema above 64 kB is ignored. References within the schema are followed, and nothing is loaded.',
    schema: ORDER_SCHEMA,
    good: ['CALL|t|{"id":1,"size":"small"}', 'CALL|t|{"id":1,"lines":[{"sku":"a\\|b","lines":[]}]}'],
    bad: [
      'CALL|t|{"id":«"1"»}',
      'CALL|t|«{»"size":"small"}',
      'CALL|t|{"id":1,"size":«"huge"»}',
      'CALL|t|{"id":1,«"colour"»:"red"}',
      'CALL|t|{"id":1,"lines":[{"sku":"a\\|b"},{"sku":«7»},{"sku":"c","lines":[«{»}]}]}',
    ],
  },
  {
    code: 'aicf/missing-argument',
    severity: 'warning',
    wire: 422,
    title: 'A required argument is missing',
    explanation: "The tool's `TOOL` line marks its optional arguments with `?`, so the others are required.",
    good: ['TOOL|t|Test|a:string|b:string?\nCALL|t|x'],
    bad: ['TOOL|t|Test|a:number|b:string?\nCALL|«t»', 'TOOL|t|Test|a:number|b:string?\nCALL|«t»||x'],
  },
  {
    code: 'aicf/fewer-arguments',
    severity: 'hint',
    title: 'Fewer arguments than the tool declares',
    explanation:
      "The tool's `TOOL` line marks no argument optional, so it does not say which ones a call may leave out. An empty field is left out, but for string and any, where it is the empty text.",
    good: ['TOOL|t|Test|a|b\nCALL|t|1|2'],
    bad: ['TOOL|t|Test|a|b\nCALL|«t»|1', 'TOOL|t|Test|a|b:number\nCALL|«t»|1|'],
  },
  {
    code: 'aicf/too-many-fields',
    severity: 'warning',
    title: 'More fields than servers take',
    explanation:
      'A request with more fields than `parley.aicf.maxFields` (64 unless set) is probably data with raw pipes.',
    good: [`CALL|t${'|x'.repeat(63)}`],
    bad: [`«CALL»|t${'|x'.repeat(64)}`],
  },
  {
    code: 'aicf/body-too-long',
    severity: 'warning',
    title: 'A request longer than servers take',
    explanation:
      'Running servers refuse a request of more than 100 kB with HTTP 413. The limit is `parley.aicf.maxBodyBytes`.',
    good: ['CALL|t|short'],
    bad: [`«CALL»|t|${'long '.repeat(20_000)}`],
  },
  {
    code: 'aicf/column-count',
    severity: 'information',
    title: 'A row with other columns than its schema',
    explanation:
      'In a context file the last `@SCHEMA` names the columns of the rows in `@DATA`. This row has more or fewer.',
    good: ['@SCHEMA\nA|B\n@DATA\n1|2'],
    bad: ['@SCHEMA\nA|B\n@DATA\n1|2\n«1|2|3»\n«1»'],
  },
  {
    code: 'aicf/line-number',
    severity: 'information',
    title: 'Line numbers with a gap or a repeat',
    explanation: 'In a context file with line numbers each number is one more than the last.',
    good: ['1|@NOTES\n2|text'],
    bad: ['1|@NOTES\n2|text\n«5»|text\n«5»|text'],
  },
] as const satisfies readonly RuleRow[];

export type AicfRuleCode = (typeof AICF_RULES)[number]['code'];

/** The rules that the grammar itself reports, as faults in the tree of a line. */
export const AICF_SYNTAX_CODES = [
  'aicf/wrong-case',
  'aicf/command-blank',
  'aicf/missing-delimiter',
  'aicf/foreign-text',
  'aicf/unknown-command',
  'aicf/prefix',
  'aicf/text-after-end',
] as const satisfies readonly AicfRuleCode[];

export type AicfSyntaxCode = (typeof AICF_SYNTAX_CODES)[number];

const RULES_BY_CODE: ReadonlyMap<AicfRuleCode, (typeof AICF_RULES)[number] & RuleRow> = new Map(
  AICF_RULES.map(row => [row.code, row]),
);

/** The row of a rule. Every code of the union has one. */
export function findAicfRule(code: AicfRuleCode): RuleRow {
  const row = RULES_BY_CODE.get(code);
  if (!row) throw new Error(`findAicfRule: no row for ${code}`);
  return row;
}
