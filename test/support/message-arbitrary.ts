import fc from 'fast-check';
import { encodeField } from '../../language/aicf/codec.ts';
import { AICL_ERRORS } from '../../core/catalog/aicl.ts';
import { CONVERSIONS } from '../../core/catalog/conversions.ts';
import { DTYPES } from '../../core/catalog/dtypes.ts';
import { ERROR_MEANINGS, type ErrorMeaningRow } from '../../core/catalog/error-meanings.ts';
import type { MessageField, MessageKind } from '../../core/catalog/message-kinds.ts';
import { message, type Message } from '../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  floatValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { printTensor } from '../../tensor/read-tensor.ts';
import { countElements } from '../../tensor/tensor.ts';

/** Pieces of text that readers have stumbled over: our own brackets, escapes, line ends, marks, keys of prototypes. */
const NASTY = [
  ...['', ']', '[', '|', '\\', '\\]', '\\|', '\\n', '[s:', '[d:', ':', ',', '"', '{', '}', '{"', '[1', '#'],
  ...['\n', '\t', '\u0000', '\u001b', '\ufeff', '\u2028', '…', '界', '😀', '...', '`', '```', 'data: '],
  ...['__proto__', 'constructor', '$int', '$float', '$null', '$tensor', '$$tensor', '1', '0', '-1', 'parley'],
  ...['true', 'null', '1.0', '1e5', 'nan', ' ', '  x ', '[aicl 4001]', ' [mcp -32602]', 'AUTH:x', 'CALL|x'],
  ...['success', 'not found', 'text', 'arg1', 'END', 'OK|1', '%20', '<', '&amp;'],
];
/** What AICL cannot send unchanged. */
const UNSENDABLE = ['\r', '\r\n', '\ud800', '\udc00x'];

/** What generated messages may hold. */
export interface MessageOptions {
  /** Texts with CR and lone surrogates, which AICL cannot write. */
  readonly hasUnsendable: boolean;
}

function anyText({ hasUnsendable }: MessageOptions): fc.Arbitrary<string> {
  const pieces = hasUnsendable ? [...NASTY, ...UNSENDABLE] : NASTY;
  return fc.oneof(
    fc.constantFrom(...pieces),
    fc.constantFrom('weather', 'Find the bug', 'Grüße', 'a b', 'x'.repeat(600)),
    fc.string({ maxLength: 8 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 5 }).map(parts => parts.join('')),
  );
}

const anyInt: fc.Arbitrary<Value> = fc
  .oneof(
    fc.integer(),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.constantFrom(
      2n ** 53n - 1n,
      2n ** 53n,
      -(2n ** 53n),
      2n ** 63n - 1n,
      2n ** 63n,
      -(2n ** 63n),
      -(2n ** 63n) - 1n,
    ),
  )
  .map(intValue);

const anyFloat: fc.Arbitrary<Value> = fc
  .oneof(
    fc.double(),
    fc.constantFrom(0, -0, 3, 0.1, 1e21, 1e-7, 1e300, 5e-324, 2 ** 53, NaN, Infinity, -Infinity),
  )
  .map(floatValue);

const anyShape = fc.oneof(
  fc.constantFrom<number[]>([], [0], [2, 0], [1], [3], [2, 2], [1, 1, 2]),
  fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 }),
);

const soundTensor: fc.Arbitrary<Value> = fc
  .tuple(fc.constantFrom(...DTYPES), anyShape, fc.uint8Array({ minLength: 7, maxLength: 7 }))
  .map(([{ name, bytes }, shape, seed]) => {
    const data = new Uint8Array(countElements(shape) * bytes).map(
      (_, at) => (seed[at % seed.length] ?? 0) + at,
    );
    return { kind: 'tensor', source: printTensor({ dtype: name, shape, bytes: data }).slice(3, -1) };
  });

/** Tensors that are not sound, or whose data are left out: they are carried as they stand. */
const oddTensor: fc.Arbitrary<Value> = fc
  .constantFrom(
    'float32:4:...',
    'uint8:2:…',
    'float32:2,3:9Yq<Q*',
    'nosuch:2:00',
    'uint8:3:009',
    'uint8:x:00',
    'int8::',
  )
  .map(source => ({ kind: 'tensor', source }));

/** Dictionaries that look like the notation of JSON, or like an envelope. */
function lookalike(inner: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  const keys = [
    '$int',
    '$float',
    '$null',
    '$tensor',
    '$$int',
    '$$$tensor',
    '$',
    '$x',
    'parley',
    'type',
    'value',
  ];
  const typical = fc.constantFrom<Value>(textValue('5'), textValue('nan'), boolValue(true), listValue([]));
  return fc
    .tuple(fc.constantFrom(...keys), fc.oneof(typical, inner))
    .map(([key, value]) => dictValue([{ key, value }]));
}

/** Any value, nested up to 8 deep. */
export function anyValue(options: MessageOptions): fc.Arbitrary<Value> {
  const text = anyText(options).map(textValue);
  const leaf = fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: anyInt },
    { weight: 2, arbitrary: anyFloat },
    { weight: 1, arbitrary: fc.boolean().map(boolValue) },
    { weight: 1, arbitrary: fc.constant<Value>(NULL) },
    { weight: 2, arbitrary: soundTensor },
    { weight: 1, arbitrary: oddTensor },
  );
  return fc.letrec<{ value: Value; list: Value; dict: Value }>(tie => ({
    value: fc.oneof(
      { maxDepth: 8, depthSize: 'small' },
      leaf,
      tie('list'),
      tie('dict'),
      lookalike(tie('value')),
    ),
    list: fc.array(tie('value'), { maxLength: 3 }).map(listValue),
    dict: dictOf(anyText(options), tie('value')),
  })).value;
}

function dictOf(key: fc.Arbitrary<string>, value: fc.Arbitrary<Value>): fc.Arbitrary<DictValue> {
  return fc
    .uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name })
    .map(entries => dictValue(entries.map(([name, inner]) => ({ key: name, value: inner }))));
}

/** The tool that generated schemas declare, with arguments of all types. */
export const DECLARED_TOOL = 'plan.trip';

/** What a property needs of a generated error code. */
interface CodeSample {
  readonly protocol: string;
  readonly code: string | number;
}

const ROWS: readonly ErrorMeaningRow[] = ERROR_MEANINGS;
/** Every code of every column of the table, as each protocol of the column says it, and some without a row. */
export const ERROR_CODES: readonly CodeSample[] = [
  ...AICL_ERRORS.map(({ code }) => ({ protocol: 'aicl', code })),
  ...ROWS.flatMap(({ aicf }) => (aicf === undefined ? [] : [{ protocol: 'aicf', code: aicf }])),
  ...samples(
    ['json-rpc'],
    ROWS.flatMap(row => [row.numbers.aip, ...row.reads.aip]),
  ),
  ...samples(
    ['aio', 'mcp', 'a2a'],
    [...ROWS.flatMap(row => [row.numbers.jsonRpc, ...row.reads.jsonRpc]), -32601],
  ),
  ...samples(
    ['agent-api', 'responses'],
    ['MODEL_TIMEOUT', 'rate_limit_exceeded', ...ROWS.flatMap(row => row.reads.http.map(String))],
  ),
  { protocol: 'aicl', code: 5042 },
  { protocol: 'aicl', code: 7 },
  { protocol: 'aicf', code: 401 },
  { protocol: 'aicf', code: 429 },
  { protocol: 'json-rpc', code: -32000 },
  { protocol: 'mcp', code: -32042 },
  { protocol: 'a2a', code: -32001 },
];

function samples(protocols: readonly string[], codes: readonly (string | number)[]): readonly CodeSample[] {
  return protocols.flatMap(protocol => [...new Set(codes)].map(code => ({ protocol, code })));
}

/** Constraints with the names of parameters of requests, of which some have values of another type. */
function anyParameters(text: fc.Arbitrary<Value>, value: fc.Arbitrary<Value>): fc.Arbitrary<DictValue> {
  const name = fc.constantFrom(
    'model',
    'stream',
    'n',
    'max_tokens',
    'stop',
    'tools',
    'response_id',
    'historyLength',
    'blocking',
    'acceptedOutputModes',
    'inputs',
  );
  const usual = fc.oneof(text, fc.integer({ min: 0, max: 9 }).map(intValue), value);
  return dictOf(name, usual);
}

function joined(one: fc.Arbitrary<DictValue>, other: fc.Arbitrary<DictValue>): fc.Arbitrary<DictValue> {
  return fc.tuple(one, other).map(([{ entries }, { entries: more }]) => {
    const names = new Set(entries.map(({ key }) => key));
    return dictValue([...entries, ...more.filter(({ key }) => !names.has(key))]);
  });
}

/** The fields of a message, each in its usual form. */
type Usual = Readonly<Record<MessageField, fc.Arbitrary<Value>>>;

function usualFields(options: MessageOptions, value: fc.Arbitrary<Value>): Usual {
  const text = anyText(options).map(textValue);
  const dict = dictOf(anyText(options), value);
  const tool = fc.oneof(fc.constantFrom('weather', DECLARED_TOOL, 'a:b.c').map(textValue), text);
  const count = fc.integer({ min: 0, max: 9 }).map(intValue);
  const seconds = fc.oneof(count, anyFloat);
  const words = fc.array(text, { maxLength: 3 }).map(listValue);
  return {
    tool,
    arguments: fc.oneof(dict, dict, fc.array(value, { maxLength: 3 }).map(listValue)),
    timeout: seconds,
    task: text,
    items: fc.array(anyItem(text, value), { minLength: 1, maxLength: 3 }).map(listValue),
    constraints: fc.oneof(dict, anyParameters(text, value), joined(dict, anyParameters(text, value))),
    deadline: fc.oneof(text, count),
    query: fc.oneof(text, dict),
    format: fc.oneof(text, dict),
    supported: words,
    selected: text,
    data: fc.oneof(value, text, dict),
    content: fc.oneof(value, anyContent(options, value)),
    tools: fc.array(anyToolRow(text, dict), { maxLength: 3 }).map(listValue),
    declaration: anyDeclaration(text),
    metadata: dict,
    protocol: text,
    code: anyInt,
    text,
    event: fc.oneof(fc.constantFrom('progress', 'response.created').map(textValue), text),
    id: fc.oneof(count, text, anyInt, fc.constant<Value>(NULL)),
    session: text,
    trace: text,
    agent: text,
    signature: text,
    stream: fc.oneof(fc.constantFrom('stream', 'out').map(textValue), text),
    index: count,
    total: count,
    final: fc.boolean().map(boolValue),
    rest: anyRest(value),
  };
}

/** Names of members that protocols give a meaning: left over, they are where that member is. */
const KNOWN_MEMBERS = [
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'parley', '_meta', 'metadata', 'trace_id'],
  ...[
    'name',
    'tool',
    'arguments',
    'args',
    'code',
    'message',
    'data',
    'content',
    'isError',
    'structuredContent',
  ],
  ...['kind', 'type', 'role', 'parts', 'status', 'input', 'output', 'object', 'query', 'success', 'timeout'],
  ...[
    'protocol',
    'session_id',
    'msg_type',
    'stream_id',
    'is_final',
    'reason',
    'detail',
    'constraints',
    'tools',
  ],
];

/** What a protocol's reader left: mostly members that no protocol knows, at the top and one step down. */
function anyRest(value: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  const member = dictOf(fc.constantFrom('x-foo', 'x_bar', '_extra'), value);
  const nested = dictOf(fc.constantFrom('params', 'result', 'x-foo'), member);
  const known = dictOf(fc.constantFrom(...KNOWN_MEMBERS), fc.oneof(value, member, nested));
  const own = fc.oneof(member, nested, known).filter(({ entries }) => entries.length > 0);
  return dictOf(fc.constantFrom(...CONVERSIONS.map(({ name }) => name)), own);
}

function anyToolRow(text: fc.Arbitrary<Value>, dict: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.record({ name: text, description: fc.option(text), inputSchema: fc.option(dict) }).map(toDict);
}

function anyDeclaration(text: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  const type = fc
    .constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'any')
    .map(textValue);
  const argument = fc.record({ name: text, type, optional: fc.boolean().map(boolValue) }).map(toDict);
  return fc
    .record({ name: text, description: text, arguments: fc.array(argument, { maxLength: 3 }).map(listValue) })
    .map(toDict);
}

/** An item of a conversation in the neutral form, or any value in its place. */
function anyItem(text: fc.Arbitrary<Value>, value: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 4, arbitrary: conversationItem(text) }, { weight: 1, arbitrary: value });
}

/** A message of texts, a function call or what it gave. */
function conversationItem(text: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  const word = (name: string): fc.Arbitrary<Value> => fc.constant(textValue(name));
  const messageOf = (role: string): fc.Arbitrary<Value> => {
    const part = fc.record({ type: word('text'), text }).map(toDict);
    const content = fc.array(part, { minLength: 1, maxLength: 2 }).map(listValue);
    return fc.record({ type: word('message'), role: word(role), content }).map(toDict);
  };
  const source = fc.oneof(fc.constantFrom('{}', '{"city":"Paris"}', '{ "a": 1.0 }').map(textValue), text);
  return fc.oneof(
    messageOf('user'),
    messageOf('system'),
    messageOf('assistant'),
    fc.record({ type: word('function_call'), call_id: text, name: text, arguments: source }).map(toDict),
    fc.record({ type: word('function_call_output'), call_id: text, output: text }).map(toDict),
  );
}

/** What Agent API and Responses are for: requests and replies of texts and function calls, whole and as streams. */
export function anyConversation(options: MessageOptions): fc.Arbitrary<readonly Message[]> {
  const text = anyText(options).map(textValue);
  const items = fc.array(conversationItem(text), { minLength: 1, maxLength: 4 }).map(listValue);
  return fc.oneof(
    text.map(task => [message('task', { task })]),
    items.map(given => [message('task', { items: given })]),
    fc
      .tuple(text, dictOf(anyText(options), anyValue(options)))
      .map(([tool, given]) => [message('call', { tool, arguments: given })]),
    text.map(data => [message('result', { data })]),
    items.map(given => [message('result', { items: given })]),
    anyTextStream(options),
  );
}

/** Parts of every kind, as the readers of protocols find them: with bytes, an address or an id, a media type and a name. */
export function anyContent(options: MessageOptions, value: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.array(anyPart(options, value), { minLength: 1, maxLength: 4 }).map(listValue);
}

const MEDIA = [
  'image/png',
  'image/svg+xml',
  'audio/mpeg',
  'audio/wav',
  'video/mp4',
  'application/pdf',
  'text/csv;charset=utf-8',
];
const BYTES = ['iVBORw0KGgo=', 'SUQzAAAA', 'AAAA', '', 'not base64'];
const ADDRESSES = ['https://example.org/a.png', 'https://example.org/b c?d=e#f', 'file:///tmp/x', 'urn:x:1'];

function anyPart(options: MessageOptions, value: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  const text = anyText(options).map(textValue);
  const sometimes = (one: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
    fc.option(one, { nil: undefined, freq: 2 });
  const about = fc.record({
    mimeType: sometimes(fc.constantFrom(...MEDIA).map(textValue)),
    name: sometimes(fc.oneof(fc.constantFrom('a.png', 'b c.pdf').map(textValue), text)),
    uri: fc.option(fc.constantFrom(...ADDRESSES).map(textValue), { nil: undefined, freq: 9 }),
  });
  const held = fc.oneof(
    fc.constantFrom(...BYTES).map(data => ({ data: textValue(data) })),
    fc.constantFrom(...ADDRESSES).map(url => ({ url: textValue(url) })),
    fc.constant({ id: textValue('file-1') }),
  );
  const file = fc
    .tuple(fc.constantFrom('image', 'audio', 'video', 'file'), held, about)
    .map(([type, holds, more]) => ({ type: textValue(type), ...holds, ...more }));
  return fc
    .oneof(
      { weight: 4, arbitrary: file },
      { weight: 2, arbitrary: text.map(said => ({ type: textValue('text'), text: said })) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(text, about)
          .map(([said, more]) => ({ type: textValue('text'), text: said, ...more })),
      },
      { weight: 1, arbitrary: text.map(said => ({ type: textValue('refusal'), text: said })) },
      { weight: 2, arbitrary: value.map(data => ({ type: textValue('data'), data })) },
    )
    .map(members => dictValue(Object.entries(members).map(([key, value]) => ({ key, value }))));
}

/** AICF lines whose calls are of the declared tool. No field is a credential, which no other protocol carries. */
export function anyAicf(options: MessageOptions): fc.Arbitrary<string> {
  const value = fc.oneof(
    anyText(options),
    fc.constantFrom(
      '3',
      '-1',
      '2.50',
      '1e3',
      'true',
      'false',
      '{"a":[1,2.0]}',
      '[1,2]',
      'a,b',
      '{"success":false}',
    ),
    fc.json({ maxDepth: 2 }),
  );
  const field = value.filter(text => !/^AUTH:/.test(text)).map(encodeField);
  const lines = (command: string, maxLength: number): fc.Arbitrary<string> =>
    fc.array(field, { maxLength }).map(fields => `${[command, ...fields].join('|')}\n`);
  const one = fc.oneof(
    { weight: 3, arbitrary: lines(`CALL|${DECLARED_TOOL}`, 7) },
    { weight: 1, arbitrary: fc.constant('LIST\n') },
    { weight: 1, arbitrary: field.map(name => `INFO|${name}\n`) },
    { weight: 2, arbitrary: field.map(data => `OK|${data}\n`) },
    { weight: 1, arbitrary: fc.constant('OK\n') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(400, 404, 422, 500, 401), field)
        .map(([code, text]) => `ERR|${code}|${text}\n`),
    },
    { weight: 1, arbitrary: lines('TOOLS', 3) },
    {
      weight: 1,
      arbitrary: fc.tuple(field, field).map(fields => `TOOL|${fields.join('|')}|a:string|b:array?\n`),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(field, { maxLength: 3 })
        .map(parts => `${parts.map(part => `STREAM|${part}\n`).join('')}END\n`),
    },
  );
  return fc.array(one, { minLength: 1, maxLength: 4 }).map(parts => parts.join(''));
}

function toDict(record: Readonly<Record<string, Value | null>>): DictValue {
  return dictValue(Object.entries(record).map(([key, value]) => ({ key, value: value ?? undefined })));
}

/** The fields that a message of a kind usually has; the first ones are always there. */
const KIND_FIELDS: Readonly<Record<MessageKind, readonly MessageField[]>> = {
  call: ['tool', 'arguments', 'timeout'],
  list: [],
  describe: ['tool'],
  task: ['task', 'content', 'items', 'constraints', 'deadline'],
  query: ['query', 'format'],
  negotiate: ['supported', 'selected'],
  result: ['data', 'content', 'items', 'tools', 'declaration', 'metadata'],
  error: [],
  chunk: ['data', 'content', 'items', 'event', 'metadata'],
  end: [],
  value: ['data'],
};

const COMMON: readonly MessageField[] = [
  ...(['id', 'session', 'trace', 'agent', 'signature', 'stream', 'index', 'total', 'final', 'rest'] as const),
];

/** Any message of a kind: mostly its usual fields in their usual forms, now and then a field of any value, or one of another kind. */
export function messageOfKind(kind: MessageKind, options: MessageOptions): fc.Arbitrary<Message> {
  const value = anyValue(options);
  const usual = usualFields(options, value);
  const sometimes = (name: MessageField, weight: number): fc.Arbitrary<Value | undefined> =>
    fc.oneof(
      { weight: 10, arbitrary: fc.constant(undefined) },
      { weight, arbitrary: usual[name] },
      { weight: 1, arbitrary: value },
    );
  const own = fc.record(
    Object.fromEntries(KIND_FIELDS[kind].map((name, at) => [name, sometimes(name, at < 2 ? 40 : 4)])),
  );
  const common = fc.record(
    Object.fromEntries(COMMON.map(name => [name, sometimes(name, name === 'rest' ? 4 : 1)])),
  );
  const error = kind === 'error' ? anyError(options, value) : fc.constant({});
  return fc
    .tuple(own, error, fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: common }))
    .map(([fields, problem, others]) => message(kind, { ...others, ...fields, ...problem }));
}

function anyError(options: MessageOptions, value: fc.Arbitrary<Value>): fc.Arbitrary<object> {
  const text = fc.oneof(
    fc
      .constantFrom('Tool not found', 'no such tool: x', 'MISSING_FIELD', 'it failed [aicl 4001]')
      .map(textValue),
    anyText(options).map(textValue),
  );
  const usual = fc
    .tuple(
      fc.constantFrom(...ERROR_CODES),
      fc.option(text, { nil: undefined, freq: 9 }),
      fc.option(value, { nil: undefined, freq: 1 }),
    )
    .map(([{ protocol, code }, said, data]) => ({
      protocol: textValue(protocol),
      code: typeof code === 'number' ? intValue(code) : textValue(code),
      text: said,
      data,
    }));
  const unexpected = fc.record({
    protocol: fc.option(fc.constantFrom('mcp', 'aicf', 'x').map(textValue), { nil: undefined }),
    code: fc.option(value, { nil: undefined }),
    text: fc.option(value, { nil: undefined }),
    data: fc.option(value, { nil: undefined }),
  });
  return fc.oneof({ weight: 6, arbitrary: usual }, { weight: 1, arbitrary: unexpected });
}

/** Any message alone. */
export function anyMessage(options: MessageOptions): fc.Arbitrary<Message> {
  const kinds: readonly MessageKind[] = [
    ...(['call', 'call', 'list', 'describe', 'task', 'query', 'negotiate'] as const),
    ...(['result', 'result', 'error', 'error', 'error', 'error', 'chunk', 'end', 'value'] as const),
  ];
  return fc.oneof(...kinds.map(kind => messageOfKind(kind, options)));
}

/** A reply in parts, in the neutral form: chunks of text or of any data, then an end or an error. */
export function anyStream(options: MessageOptions): fc.Arbitrary<readonly Message[]> {
  const text = anyText(options).map(textValue);
  const chunk = fc.oneof(
    { weight: 5, arbitrary: text.map(data => message('chunk', { data })) },
    { weight: 1, arbitrary: messageOfKind('chunk', options) },
  );
  const last = fc.oneof(
    { weight: 4, arbitrary: fc.constant(message('end', {})) },
    { weight: 1, arbitrary: messageOfKind('error', options) },
    { weight: 1, arbitrary: messageOfKind('end', options) },
  );
  return fc
    .tuple(fc.array(chunk, { minLength: 1, maxLength: 4 }), last)
    .map(([chunks, end]) => [...chunks, end]);
}

/** A text in parts, which every protocol can say. */
export function anyTextStream(options: MessageOptions): fc.Arbitrary<readonly Message[]> {
  const chunk = anyText(options).map(text => message('chunk', { data: textValue(text) }));
  return fc.array(chunk, { minLength: 1, maxLength: 4 }).map(chunks => [...chunks, message('end', {})]);
}

/** Messages as a file holds them: one, a request with its reply, a stream, or several of them. */
export function anyMessages(options: MessageOptions): fc.Arbitrary<readonly Message[]> {
  const one = anyMessage(options);
  return fc.oneof(
    { weight: 6, arbitrary: one.map(only => [only]) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 2, maxLength: 4 }) },
    { weight: 1, arbitrary: anyStream(options) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(messageOfKind('call', options), anyStream(options), messageOfKind('result', options))
        .map(([call, stream, result]) => [call, ...stream, call, result]),
    },
  );
}
