import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { inspect } from 'node:util';
import { DEFAULT_SETTINGS } from '../../../../core/catalog/settings.ts';
import { aiclShape } from '../../../../protocols/aicl/shape.ts';
import { printAicl } from '../../../../language/values/aicl-printer.ts';
import { readAiclPieces } from '../../../../language/values/aicl-reader.ts';
import { Report } from '../../../../core/message/report.ts';
import type { Reading, Writing } from '../../../../protocols/message/shape.ts';
import { TextSink } from '../../../../language/values/text-layer.ts';
import { LANGUAGE_SUPPORT } from '../../../../language/languages.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import { isSameMessage } from '../../../../protocols/message/same-message.ts';
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
  return { report, tools: { isComplete: false, tools: new Map() }, number: read => read };
}

function writing(report = new Report()): Writing {
  return { report, tools: { isComplete: false, tools: new Map() }, id: 1 };
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

function write(written: Message): string {
  return print(aiclShape.write(written, writing()));
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
    source: `[d:${HEAD}:[s:parley],[s:msg_type]:[s:result],[s:data]:[d:[s:$null]:[b:true]]]`,
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
    title: 'fields of other types than the protocol wants, and fields that nobody knows',
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
      "aicl/header-type: 'session_id' is a text: write it as '[s:…]' (1000)",
      "aicl/field-type: 'is_final' is a bool, not a text (4001)",
      "aicl/field-type: 'tool' is a text, not an int (4001)",
      "aicl/field-type: 'timeout' is an int or a float, not a text (4001)",
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
    title: 'a request for the list of tools',
    source: `[d:${HEAD}:[s:parley],[s:msg_type]:[s:data_query],[s:query]:[s:tools],[s:parley]:[d:[s:kind]:[s:list],[s:id]:[s:a-1]]]`,
    means: message('list', { id: text('a-1') }),
  },
  {
    title: 'a request for one tool',
    source: `[d:${HEAD}:[s:parley],[s:msg_type]:[s:data_query],[s:query]:[s:tool weather],[s:parley]:[d:[s:kind]:[s:describe],[s:tool]:[s:weather]]]`,
    means: message('describe', { tool: text('weather') }),
  },
  {
    title: 'the end of a stream',
    source: `[d:${HEAD}:[s:parley],[s:msg_type]:[s:result],[s:data]:[d:],[s:is_final]:[b:true],[s:parley]:[d:[s:kind]:[s:end]]]`,
    means: message('end', {}),
  },
  {
    title: 'a call without arguments',
    source: `[d:${HEAD}:[s:parley],[s:msg_type]:[s:tool_call],[s:tool]:[s:now],[s:params]:[d:],[s:parley]:[d:[s:kind]:[s:call]]]`,
    means: message('call', { tool: text('now') }),
  },
  {
    title: 'a task without constraints',
    source: `[d:${HEAD}:[s:parley],[s:msg_type]:[s:task_request],[s:task]:[s:sing],[s:constraints]:[d:],[s:parley]:[d:[s:kind]:[s:task]]]`,
    means: message('task', { task: text('sing') }),
  },
  {
    title: 'a result that lists tools',
    source: `[d:${HEAD}:[s:parley],[s:msg_type]:[s:result],[s:data]:[l:[d:[s:name]:[s:weather]]],[s:parley]:[d:[s:as]:[s:tools]]]`,
    means: message('result', { tools: listValue([dict({ name: text('weather') })]) }),
  },
  {
    title: 'an empty result',
    source: `[d:${HEAD}:[s:parley],[s:msg_type]:[s:result],[s:data]:[d:],[s:parley]:[d:[s:kind]:[s:result]]]`,
    means: message('result', {}),
  },
  {
    title: 'a chunk without a place in its stream',
    source: `[d:${HEAD}:[s:parley],[s:msg_type]:[s:result],[s:data]:[s:a],[s:parley]:[d:[s:kind]:[s:chunk]]]`,
    means: message('chunk', { data: text('a') }),
  },
];

describe('LightAICL messages', () => {
  for (const { title, source, means, errors = [] } of EXAMPLES) {
    it(`reads and writes ${title}`, () => {
      assert.deepEqual([read(source), write(means), errorsOf(source)], [means, source, errors]);
    });
  }

  it('puts the header first, and members that nobody knows behind the fields', () => {
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
        `[d:${HEAD}:[s:parley],[s:msg_type]:[s:tool_call],[s:tool]:[s:t],[s:params]:[d:[s:a]:[i:1]],[s:x]:[i:1]]`,
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
    const means = message('value', { data: call });
    const source = write(means);
    assert.deepEqual([read(source), errorsOf(source)], [means, []]);
  });

  it('keeps a session that would be taken for none, and one that AICL forbids, in the envelope', () => {
    const written = ['parley', ''].map(name => write(message('list', { session: text(name) })));
    assert.deepEqual(written, [
      `[d:${HEAD}:[s:parley],[s:msg_type]:[s:data_query],[s:query]:[s:tools],[s:parley]:[d:[s:kind]:[s:list],[s:session]:[s:parley]]]`,
      `[d:${HEAD}:[s:parley],[s:msg_type]:[s:data_query],[s:query]:[s:tools],[s:parley]:[d:[s:kind]:[s:list],[s:session]:[s:]]]`,
    ]);
    assert.deepEqual(written.flatMap(errorsOf), []);
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

  it('names arguments that stand by place, and says that it guessed', () => {
    const report = new Report();
    const call = message('call', { tool: text('t'), arguments: listValue([text('a'), intValue(1)]) });
    assert.equal(
      print(aiclShape.write(call, writing(report))),
      `[d:${HEAD}:[s:parley],[s:msg_type]:[s:tool_call],[s:tool]:[s:t],[s:params]:[d:[s:arg1]:[s:a],[s:arg2]:[i:1]],[s:parley]:[d:[s:byPlace]:[b:true]]]`,
    );
    assert.deepEqual(
      report.losses.map(({ kind, path }) => [kind, path]),
      [['guessed', 'arguments']],
    );
  });

  it('says the same again, whatever the message', () => {
    fc.assert(
      fc.property(anyMessage({ hasUnsendable: false }), written => {
        const source = write(written);
        const [value] = values(source);
        const back = value && (aiclShape.read(value, reading()) ?? message('value', { data: value }));
        assert.ok(back && isSameMessage(back, written), `${show(written)}\n${source}\n${show(back)}`);
      }),
      { numRuns: runs(3_000) },
    );
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

  it("says the same again of what stands in another message's rest", () => {
    const member = fc.constantFrom<Value>(
      text('a'),
      text('parley'),
      text('tools'),
      intValue(1),
      EMPTY,
      boolValue(true),
      NULL,
    );
    const key = fc.constantFrom(
      ...[
        'protocol',
        'session_id',
        'msg_type',
        'tool',
        'params',
        'timeout',
        'data',
        'query',
        'code',
        'stream_id',
      ],
      ...['is_final', 'signature', 'parley', 'x', 'y'],
    );
    const rest = fc
      .uniqueArray(fc.tuple(key, member), { maxLength: 5, selector: ([name]) => name })
      .map(entries => dict({ aicl: dict(Object.fromEntries(entries)) }));
    fc.assert(
      fc.property(anyMessage({ hasUnsendable: false }), rest, ({ kind, fields }, odd) => {
        const written = message(kind, { ...fields, arguments: undefined, rest: odd });
        const source = write(written);
        const [value] = values(source);
        const back = value && (aiclShape.read(value, reading()) ?? message('value', { data: value }));
        assert.ok(back && isSameMessage(back, written), `${show(written)}\n${source}\n${show(back)}`);
      }),
      { numRuns: runs(2_000) },
    );
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
  const writer = aiclShape.stream?.writer(writing());
  assert.ok(writer);
  return [...parts.flatMap(part => writer.push(part, writing())), ...writer.end()].map(print).join('\n');
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
      title: 'one that nobody ends has no end',
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
    {
      title: 'an end that says more is said by the last chunk',
      source: chunk('stream_1/1', 'a', `${FINAL},[s:parley]:[d:[s:end]:[d:[s:trace]:[s:t]]]`),
      means: [part('a'), message('end', { session, trace: text('t') })],
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

  it('says the same again, whatever the parts', () => {
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
        const source = writeParts(written);
        const back = readParts(source);
        const isSame =
          back.length === written.length &&
          written.every((one, index) => {
            const other = back[index];
            return other !== undefined && isSameMessage(one, other);
          });
        assert.ok(isSame, `${show(written)}\n${source}\n${show(back)}`);
      }),
      { numRuns: runs(2_000) },
    );
  });
});
