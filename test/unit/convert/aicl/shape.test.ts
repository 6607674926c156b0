import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { inspect } from 'node:util';
import { DEFAULT_SETTINGS } from '../../../../core/catalog/settings.ts';
import { aiclShape } from '../../../../protocols/aicl/shape.ts';
import { meansSame } from '../../../support/means-same.ts';
import { printAicl } from '../../../../language/values/aicl-printer.ts';
import { readAiclPieces } from '../../../../language/values/aicl-reader.ts';
import { Report } from '../../../../core/message/report.ts';
import type { Reading, Writing } from '../../../../protocols/message/shape.ts';
import { TextSink } from '../../../../language/values/text-layer.ts';
import { writeMessage } from '../../../../protocols/convert/write-message.ts';
import { LANGUAGE_SUPPORT } from '../../../../language/languages.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  floatValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type Value,
} from '../../../../core/values/value.ts';
import { anyMessage, anyStream } from '../../../support/message-arbitrary.ts';
import { runs, sized } from '../../../support/size.ts';

const HEAD = '[s:protocol]:[s:LightAICL],[s:session_id]';

const dict = (members: Readonly<Record<string, Value>>): Value =>
  dictValue(Object.entries(members).map(([key, value]) => ({ key, value })));
const text = textValue;
const EMPTY = dict({});

function reading(report = new Report()): Reading {
  return {
    protocols: ALL_PROTOCOLS,
    report,
    tools: { isComplete: false, tools: new Map() },
    number: read => read,
  };
}

function writing(report = new Report()): Writing {
  return { protocols: ALL_PROTOCOLS, report, tools: { isComplete: false, tools: new Map() }, id: 1 };
}

function print(value: Value): string {
  const sink = new TextSink();
  printAicl(value, sink, 'compact', new Report());
  return String(sink);
}

function values(source: string): readonly Value[] {
  const { pieces, faults } = readAiclPieces(source);
  assert.deepEqual(faults, []);
  return pieces.map(piece => piece.value);
}

function read(source: string): Message | undefined {
  const [value] = values(source);
  return value && aiclShape.read(value, reading());
}

function write(written: Message, report = new Report()): string {
  return print(writeMessage('aicl', written, writing(report)));
}

function show(value: unknown): string {
  return inspect(value, { depth: null });
}

/** What the rules find wrong with a text, errors only. */
function errorsOf(source: string): readonly string[] {
  const issues = LANGUAGE_SUPPORT.aicl.open(source, DEFAULT_SETTINGS).validate();
  return issues
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code}: ${message}`);
}

/** True for a message whose required fields say something that AICL can say in their place. */
function hasAllThatIsWanted({ kind, fields }: Message): boolean {
  // What AICL itself left over may be what its rules refuse.
  if (findEntry(fields.rest, 'aicl')) return false;
  switch (kind) {
    case 'call':
      return fields.tool?.kind === 'text';
    case 'task':
      return fields.task?.kind === 'text';
    case 'query':
      return fields.query?.kind === 'text';
    case 'error':
      return fields.protocol?.kind === 'text' && fields.code?.kind === 'int' && fields.text?.kind === 'text';
    case 'value':
      return false;
    default:
      return true;
  }
}

/** A message in AICL and what it means; both ways, and without an error where it is whole. */
interface Example {
  readonly title: string;
  readonly source: string;
  readonly means: Message;
  /** What the rules say of it. */
  readonly errors?: readonly string[];
}

const TENSOR: Value = { kind: 'tensor', source: 'float32:1:00000' };

const EXAMPLES: readonly Example[] = [
  {
    title: 'a call of a tool',
    source: `[d:${HEAD}:[s:auto_web_05],[s:msg_type]:[s:tool_call],[s:tool]:[s:web_scraper],[s:params]:[d:[s:target_url]:[s:https://example.com],[s:extract]:[l:[s:title],[s:price]]],[s:timeout]:[f:2.5]]`,
    means: message('call', {
      session: text('auto_web_05'),
      tool: text('web_scraper'),
      arguments: dict({
        target_url: text('https://example.com'),
        extract: listValue([text('title'), text('price')]),
      }),
      timeout: floatValue(2.5),
    }),
  },
  {
    title: 'a task',
    source: `[d:${HEAD}:[s:multimodal_001],[s:msg_type]:[s:task_request],[s:task]:[s:生成视频解说],[s:constraints]:[d:[s:video]:[t:float32:1:00000],[s:lang]:[s:zh-CN]],[s:deadline]:[i:1753056000]]`,
    means: message('task', {
      session: text('multimodal_001'),
      task: text('生成视频解说'),
      constraints: dict({ video: TENSOR, lang: text('zh-CN') }),
      deadline: intValue(1753056000),
    }),
  },
  {
    title: 'a query',
    source: `[d:${HEAD}:[s:q1],[s:msg_type]:[s:data_query],[s:query]:[d:[s:user]:[i:7]],[s:data_format]:[s:list]]`,
    means: message('query', {
      session: text('q1'),
      query: dict({ user: intValue(7) }),
      format: text('list'),
    }),
  },
  {
    title: 'a result with metadata',
    source: `[d:${HEAD}:[s:fl_session_12],[s:msg_type]:[s:result],[s:data]:[t:float32:1:00000],[s:content]:[s:weights],[s:metadata]:[d:[s:round]:[i:3]]]`,
    means: message('result', {
      session: text('fl_session_12'),
      data: TENSOR,
      content: text('weights'),
      metadata: dict({ round: intValue(3) }),
    }),
  },
  {
    title: 'a result that is null',
    source: `[d:${HEAD}:[s:session],[s:msg_type]:[s:result],[s:data]:[d:[s:$null]:[b:true]]]`,
    means: message('result', { data: NULL }),
  },
  {
    title: 'an error',
    source: `[d:${HEAD}:[s:current_session],[s:msg_type]:[s:error],[s:code]:[i:2001],[s:reason]:[s:MISSING_REQUIRED_FIELD],[s:detail]:[s:Field 'target_url' required in tool_call]]`,
    means: message('error', {
      session: text('current_session'),
      protocol: text('aicl'),
      code: intValue(2001),
      text: text('MISSING_REQUIRED_FIELD'),
      data: text("Field 'target_url' required in tool_call"),
    }),
  },
  {
    title: 'a negotiation',
    source: `[d:${HEAD}:[s:n],[s:msg_type]:[s:protocol_negotiate],[s:supported]:[l:[s:LightAICL_v1],[s:LightAICL_v2]],[s:selected]:[s:LightAICL_v2]]`,
    means: message('negotiate', {
      session: text('n'),
      supported: listValue([text('LightAICL_v1'), text('LightAICL_v2')]),
      selected: text('LightAICL_v2'),
    }),
  },
  {
    title: 'fields of other types than the protocol requires, and unknown fields',
    source:
      '[d:[s:protocol]:[s:LightAICL_v1],[s:session_id]:[i:5],[s:msg_type]:[s:tool_call],[s:params]:[d:],[s:stream_id]:[s:three],[s:is_final]:[s:true],[s:tool]:[i:3],[s:x-foo]:[d:[s:a]:[i:1]],[s:timeout]:[s:30]]',
    means: message('call', {
      arguments: EMPTY,
      rest: dict({
        aicl: dict({
          protocol: text('LightAICL_v1'),
          session_id: intValue(5),
          stream_id: text('three'),
          is_final: text('true'),
          tool: intValue(3),
          'x-foo': dict({ a: intValue(1) }),
          timeout: text('30'),
        }),
      }),
    }),
    errors: [
      "aicl/header-type: 'session_id' is a text: write it as '[s:…]' (error 1000)",
      "aicl/field-type: 'is_final' is a bool, not a text (error 4001)",
      "aicl/field-type: 'tool' is a text, not an int (error 4001)",
      "aicl/field-type: 'timeout' is an int or a float, not a text (error 4001)",
    ],
  },
  {
    title: 'a signed chunk',
    source: `[d:${HEAD}:[s:s],[s:msg_type]:[s:result],[s:data]:[s:a],[s:signature]:[s:4fd2a1f3],[s:stream_id]:[s:chunk_3/5]]`,
    means: message('chunk', {
      session: text('s'),
      data: text('a'),
      stream: text('chunk'),
      index: intValue(3),
      total: intValue(5),
      signature: text('4fd2a1f3'),
    }),
  },
  {
    title: 'a request that is a part of a stream',
    source: `[d:${HEAD}:[s:s],[s:msg_type]:[s:data_query],[s:query]:[s:x],[s:stream_id]:[s:stream_2/2],[s:is_final]:[b:true]]`,
    means: message('query', {
      session: text('s'),
      query: text('x'),
      index: intValue(2),
      total: intValue(2),
      final: boolValue(true),
    }),
  },
  {
    title: 'a query with an id, of a trace',
    source: `[d:${HEAD}:[s:session],[s:msg_type]:[s:data_query],[s:query]:[s:x],[s:id]:[s:a-1],[s:trace]:[s:t]]`,
    means: message('query', { query: text('x'), id: text('a-1'), trace: text('t') }),
  },
  {
    title: 'a call without arguments',
    source: `[d:${HEAD}:[s:session],[s:msg_type]:[s:tool_call],[s:tool]:[s:now],[s:params]:[d:]]`,
    means: message('call', { tool: text('now'), arguments: EMPTY }),
  },
  {
    title: 'a task without constraints',
    source: `[d:${HEAD}:[s:session],[s:msg_type]:[s:task_request],[s:task]:[s:sing],[s:constraints]:[d:]]`,
    means: message('task', { task: text('sing'), constraints: EMPTY }),
  },
];

function lossesOf(report: Report): readonly (readonly [string, string])[] {
  return report.losses.map(({ kind, path }) => [kind, path]);
}

/** A message without a counterpart in AICL, and what represents it. */
interface NearestExample {
  readonly title: string;
  readonly given: Message;
  readonly source: string;
  readonly losses: readonly (readonly [string, string])[];
}

const NEAREST: readonly NearestExample[] = [
  {
    title: 'a request for the list of tools',
    given: message('list', { id: text('a-1') }),
    source: `[d:${HEAD}:[s:session],[s:msg_type]:[s:data_query],[s:query]:[s:tools],[s:id]:[s:a-1]]`,
    losses: [['moved', '']],
  },
  {
    title: 'a request for one tool',
    given: message('describe', { tool: text('weather') }),
    source: `[d:${HEAD}:[s:session],[s:msg_type]:[s:data_query],[s:query]:[s:tool weather]]`,
    losses: [['moved', '']],
  },
  {
    title: 'the end of a stream',
    given: message('end', {}),
    source: `[d:${HEAD}:[s:session],[s:msg_type]:[s:result],[s:data]:[s:],[s:is_final]:[b:true]]`,
    losses: [['moved', '']],
  },
  {
    title: 'a result that lists tools',
    given: message('result', { tools: listValue([dict({ name: text('weather') })]) }),
    source: `[d:${HEAD}:[s:session],[s:msg_type]:[s:result],[s:data]:[l:[d:[s:name]:[s:weather]]]]`,
    losses: [['moved', 'tools']],
  },
  {
    title: 'arguments without names',
    given: message('call', { tool: text('t'), arguments: listValue([text('a'), intValue(1)]) }),
    source: `[d:${HEAD}:[s:session],[s:msg_type]:[s:tool_call],[s:tool]:[s:t],[s:params]:[d:[s:arg1]:[s:a],[s:arg2]:[i:1]]]`,
    losses: [['guessed', 'arguments']],
  },
];

describe('LightAICL messages', () => {
  for (const { title, source, means, errors = [] } of EXAMPLES) {
    it(`reads and writes ${title}`, () => {
      assert.deepEqual([read(source), write(means), errorsOf(source)], [means, source, errors]);
    });
  }

  it('puts the header first, and unknown members after the fields', () => {
    const source = `[d:[s:x]:[i:1],[s:params]:[d:[s:a]:[i:1]],[s:tool]:[s:t],[s:msg_type]:[s:tool_call]]`;
    const means = message('call', {
      tool: text('t'),
      arguments: dict({ a: intValue(1) }),
      rest: dict({ aicl: dict({ x: intValue(1) }) }),
    });
    assert.deepEqual(
      [read(source), write(means)],
      [
        means,
        `[d:${HEAD}:[s:session],[s:msg_type]:[s:tool_call],[s:tool]:[s:t],[s:params]:[d:[s:a]:[i:1]],[s:x]:[i:1]]`,
      ],
    );
  });

  it('reads a message of an unknown type as a value, and a value as none', () => {
    const unknown = `[d:${HEAD}:[s:s],[s:msg_type]:[s:status_update],[s:load]:[f:0.5]]`;
    const [value] = values(unknown);
    assert.ok(value);
    assert.deepEqual(read(unknown), message('value', { data: value }));
    assert.equal(write(message('value', { data: value })), unknown);
    assert.deepEqual(
      ['[d:[s:a]:[i:1]]', '[s:result]', '[d:[s:msg_type]:[s:x]]'].map(source => read(source)),
      [undefined, undefined, undefined],
    );
    assert.equal(write(message('value', { data: text('a') })), '[s:a]');
  });

  it('keeps a value that looks like a message apart from one', () => {
    const [call] = values(`[d:${HEAD}:[s:s],[s:msg_type]:[s:tool_call],[s:tool]:[s:t],[s:params]:[d:]]`);
    assert.ok(call);
    const report = new Report();
    const source = write(message('value', { data: call }), report);
    const found = message('result', { data: call });
    assert.deepEqual([read(source), lossesOf(report), errorsOf(source)], [found, [['moved', '']], []]);
  });

  it('writes a default session for one that AICL would not carry, and says which is lost', () => {
    const source = `[d:${HEAD}:[s:session],[s:msg_type]:[s:data_query],[s:query]:[s:x]]`;
    for (const name of ['session', '']) {
      const report = new Report();
      const written = write(message('query', { session: text(name), query: text('x') }), report);
      assert.deepEqual([written, lossesOf(report)], [source, [['dropped', 'session']]]);
    }
    assert.deepEqual(errorsOf(source), []);
  });

  it('tells once that a signature no longer fits, both ways', () => {
    const report = new Report();
    const [value] = values(`[d:${HEAD}:[s:s],[s:msg_type]:[s:result],[s:data]:[i:1],[s:signature]:[s:4fd2]]`);
    const signed = value && aiclShape.read(value, reading(report));
    assert.ok(signed);
    aiclShape.write(signed, writing(report));
    assert.deepEqual(
      report.notes.map(note => note.message),
      ['The message is signed; the signature does not fit the converted message, so sign it again'],
    );
  });

  for (const { title, given, source, losses } of NEAREST)
    it(`writes ${title} as the nearest that AICL has, and says so`, () => {
      const report = new Report();
      const written = write(given, report);
      assert.deepEqual([written, lossesOf(report), errorsOf(written)], [source, losses, []]);
    });

  it('is valid where the message has what AICL wants', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(anyMessage({ hasUnsendable: false }).filter(hasAllThatIsWanted), written => {
        kinds.add(written.kind);
        const source = write(written);
        const errors = errorsOf(source).filter(error => !/^aicl\/(tensor|unknown-dtype)/.test(error));
        assert.deepEqual(errors, [], source);
      }),
      { numRuns: runs(1_500) },
    );
    assert.ok(kinds.size >= sized(10, 3));
  });
});

/** The parts of the streams in a text, read as a file is. */
function readParts(source: string): readonly Message[] {
  const parts: Message[] = [];
  const stream = aiclShape.stream;
  assert.ok(stream);
  let reader: ReturnType<typeof stream.reader> | undefined;
  for (const value of values(source)) {
    if (stream.recognises(value)) {
      reader ??= stream.reader(reading());
      parts.push(...reader.push(value));
      continue;
    }
    parts.push(...(reader?.end() ?? []));
    reader = undefined;
    const part = aiclShape.read(value, reading());
    if (part) parts.push(part);
  }
  return [...parts, ...(reader?.end() ?? [])];
}

function writeParts(parts: readonly Message[]): string {
  return writeStream(parts, new Report());
}

function writeStream(parts: readonly Message[], report: Report): string {
  const writer = aiclShape.stream?.writer?.(writing(report));
  assert.ok(writer);
  return [...parts.flatMap(part => writer.push(part, writing(report))), ...writer.end()]
    .map(print)
    .join('\n');
}

function chunk(id: string, data: string, more = ''): string {
  return `[d:${HEAD}:[s:s],[s:msg_type]:[s:result],[s:data]:[s:${data}],[s:stream_id]:[s:${id}]${more}]`;
}

const FINAL = ',[s:is_final]:[b:true]';
const session = text('s');
const part = (data: string): Message => message('chunk', { session, data: text(data) });

describe('streams of LightAICL', () => {
  const cases: readonly { title: string; source: string; means: readonly Message[] }[] = [
    {
      title: 'a stream that is whole is chunks and an end',
      source: [chunk('stream_1/2', 'a'), chunk('stream_2/2', 'b', FINAL)].join('\n'),
      means: [part('a'), part('b'), message('end', { session })],
    },
    {
      title: 'one with a name keeps it',
      source: [chunk('out_1/1', 'a', FINAL)].join('\n'),
      means: [
        message('chunk', { session, data: text('a'), stream: text('out') }),
        message('end', { session, stream: text('out') }),
      ],
    },
    {
      title: 'one without an end has no end',
      source: [chunk('stream_1/2', 'a'), chunk('stream_2/2', 'b')].join('\n'),
      means: [part('a'), part('b')],
    },
    {
      title: 'the chunks of one that is cut keep their numbers',
      source: [chunk('stream_1/3', 'a'), chunk('stream_2/3', 'b')].join('\n'),
      means: [
        message('chunk', { session, data: text('a'), index: intValue(1), total: intValue(3) }),
        message('chunk', { session, data: text('b'), index: intValue(2), total: intValue(3) }),
      ],
    },
    {
      title: 'two streams, the first without an end',
      source: [chunk('stream_1/1', 'a'), chunk('stream_1/1', 'b', FINAL)].join('\n'),
      means: [
        message('chunk', { session, data: text('a'), index: intValue(1), total: intValue(1) }),
        part('b'),
        message('end', { session }),
      ],
    },
  ];
  for (const { title, source, means } of cases)
    it(`${title}, both ways`, () => {
      assert.deepEqual([readParts(source), writeParts(means), errorsOf(source)], [means, source, []]);
    });

  it('takes no notice of chunks that say they are not the last', () => {
    const source = [chunk('stream_1/2', 'a', ',[s:is_final]:[b:false]'), chunk('stream_2/2', 'b', FINAL)];
    assert.deepEqual(readParts(source.join('\n')), [part('a'), part('b'), message('end', { session })]);
  });

  it('says what an end says that its last chunk cannot', () => {
    const report = new Report();
    const source = writeStream([part('a'), message('end', { session, trace: text('t') })], report);
    assert.deepEqual([source, lossesOf(report)], [chunk('stream_1/1', 'a', FINAL), [['dropped', 'trace']]]);
  });

  it('says the same again or says what is lost, whatever the parts', () => {
    const tagged = fc
      .tuple(
        fc.constantFrom(undefined, 'stream', 'out'),
        fc.constantFrom(undefined, 0, 1, 2, 3),
        fc.constantFrom(undefined, 1, 2, 3),
        fc.constantFrom(undefined, true, false),
        fc.constantFrom<Message['kind']>('chunk', 'chunk', 'chunk', 'end', 'result'),
      )
      .map(([stream, index, total, final, kind]) =>
        message(kind, {
          data: kind === 'end' ? undefined : text('x'),
          stream: stream === undefined ? undefined : text(stream),
          index: index === undefined ? undefined : intValue(index),
          total: total === undefined ? undefined : intValue(total),
          final: final === undefined ? undefined : boolValue(final),
        }),
      );
    const parts = fc.oneof(anyStream({ hasUnsendable: false }), fc.array(tagged, { maxLength: 6 }));
    fc.assert(
      fc.property(parts, written => {
        const report = new Report();
        const source = writeStream(written, report);
        if (report.losses.length > 0) return;
        const back = readParts(source);
        const isSame =
          back.length === written.length &&
          written.every((one, index) => {
            const other = back[index];
            return other !== undefined && meansSame(one, other);
          });
        assert.ok(isSame, `${show(written)}\n${source}\n${show(back)}`);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
