import assert from 'node:assert/strict';
import fc from 'fast-check';
import { agentApiShape } from '../../../../protocols/agent-api/shape.ts';
import { printJson } from '../../../../language/values/json-printer.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import { Numbering } from '../../../../protocols/convert/numbering.ts';
import { Report } from '../../../../core/message/report.ts';
import { responsesShape } from '../../../../protocols/responses/shape.ts';
import type { ProtocolShape, Reading } from '../../../../protocols/message/shape.ts';
import { TextSink } from '../../../../language/values/text-layer.ts';
import { message, type Message } from '../../../../core/message/message.ts';
import { isSameMessage } from '../../../../protocols/message/same-message.ts';
import { textValue, type Value } from '../../../../core/values/value.ts';
import { anyStream } from '../../../support/message-arbitrary.ts';
import { runs, sized } from '../../../support/size.ts';

const TOOLS = { isComplete: false, tools: new Map() };

function reading(): Reading {
  const numbering = new Numbering();
  return {
    report: new Report(),
    tools: TOOLS,
    number: read => {
      const number = numbering.next(read);
      const { id } = read.fields;
      return id?.kind === 'int' && id.int === number
        ? message(read.kind, { ...read.fields, id: undefined })
        : read;
    },
  };
}

function streamOf({ stream }: ProtocolShape): NonNullable<ProtocolShape['stream']> {
  assert.ok(stream);
  return stream;
}

function writeParts(
  shape: ProtocolShape,
  parts: readonly Message[],
  report = new Report(),
): readonly Value[] {
  const writing = { report, tools: TOOLS, id: 1 };
  const writer = streamOf(shape).writer(writing);
  return [...parts.flatMap(part => [...writer.push(part, writing)]), ...writer.end()];
}

function readParts(shape: ProtocolShape, events: readonly Value[]): readonly Message[] {
  const reader = streamOf(shape).reader(reading());
  for (const event of events) assert.ok(streamOf(shape).recognises(event), JSON.stringify(jsonOf(event)));
  return [...events.flatMap(event => [...reader.push(event)]), ...reader.end()];
}

function jsonOf(value: Value): unknown {
  const sink = new TextSink();
  printJson(value, sink, 'compact');
  return JSON.parse(sink.toString());
}

function valuesOf(events: readonly unknown[]): readonly Value[] {
  return readJsonPieces(events.map(event => JSON.stringify(event)).join('\n')).pieces.map(
    ({ value }) => value,
  );
}

function shown({ kind, fields }: Message): unknown {
  return {
    kind,
    ...Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, jsonOf(value)])),
  };
}

function assertSame(actual: readonly Message[], expected: readonly Message[]): void {
  const isSame =
    actual.length === expected.length && actual.every((one, at) => isSameMessage(one, expected[at] ?? END));
  if (!isSame) assert.deepEqual(actual.map(shown), expected.map(shown));
  assert.ok(isSame);
}

function chunk(text: string): Message {
  return message('chunk', { data: textValue(text) });
}

const END = message('end', {});
const SHAPES = [agentApiShape, responsesShape];

/** A reply of the runtime with two messages, a call, and members of its own. */
const NULLS = { error: null };
const response = (status: string, more = {}): unknown => ({
  object: 'response',
  status,
  ...NULLS,
  id: 'response_a',
  created_at: 9,
  completed_at: null,
  output: null,
  usage: null,
  session_id: 's1',
  ...more,
});
const said = (id: string, status: string, type: string, content: unknown): unknown => ({
  object: 'message',
  status,
  ...NULLS,
  id,
  type,
  role: 'assistant',
  content,
  code: null,
  message: null,
  usage: null,
  metadata: null,
});
const part = (id: string, status: string, more: object): unknown => ({
  object: 'content',
  status,
  ...NULLS,
  index: 0,
  delta: status === 'in_progress',
  msg_id: id,
  ...more,
});
const data = (given: string): object => ({
  type: 'data',
  data: { call_id: 'c1', name: 'f', arguments: given },
});
const AGENT_EVENTS = [
  response('created'),
  response('in_progress'),
  said('msg_a', 'in_progress', 'message', null),
  part('msg_a', 'in_progress', { type: 'text', text: 'Hi' }),
  part('msg_a', 'in_progress', { type: 'text', text: ' you' }),
  part('msg_a', 'completed', { type: 'text', text: 'Hi you', index: null, delta: null, msg_id: null }),
  said('msg_a', 'completed', 'message', []),
  said('msg_b', 'in_progress', 'plugin_call', null),
  part('msg_b', 'in_progress', data('')),
  part('msg_b', 'completed', { ...data('{"a":1}'), delta: true, index: 1 }),
  said('msg_b', 'completed', 'plugin_call', []),
  said('msg_c', 'in_progress', 'message', null),
  part('msg_d', 'in_progress', { type: 'text', text: 'odd' }),
].map((event, sequence_number) => ({ sequence_number, ...(event as object) }));

describe('streams of Agent API and Responses', () => {
  for (const [at, shape] of SHAPES.entries()) {
    const name = ['agent-api', 'responses'][at];

    it(`${name}: reads the parts that it wrote`, () => {
      fc.assert(
        fc.property(anyStream({ hasUnsendable: true }), given => {
          const first = reading();
          const parts = given.map(first.number);
          const report = new Report();
          const events = writeParts(shape, parts, report);
          const back = readParts(shape, events);
          assertSame(back, parts);
        }),
        { numRuns: runs(400) },
      );
    });

    it(`${name}: reads parts of all steps in any order as they were`, () => {
      const event = fc.constantFrom(
        ...[
          'created',
          'in_progress',
          'begin',
          'open',
          'part',
          'arguments',
          'content_done',
          'part_done',
          'close',
          'other',
        ],
      );
      const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '' };
      const items = fc
        .constantFrom(
          [{ type: 'message', role: 'assistant' }],
          [call],
          [{ type: 'function_call' }],
          [{ type: 'reasoning' }],
        )
        .map(json => valuesOf([json])[0]);
      const step = fc.oneof(
        fc.constant(chunk('a')),
        fc.constant(END),
        event.map(one => message('chunk', { event: textValue(one) })),
        fc.constant(message('chunk', { event: textValue('arguments'), data: textValue('{') })),
        fc.constant(message('chunk', { event: textValue('reasoning'), data: textValue('so') })),
        fc
          .tuple(fc.constantFrom('open', 'begin'), items)
          .map(([one, list]) => message('chunk', { event: textValue(one), items: list })),
      );
      fc.assert(
        fc.property(fc.array(step, { maxLength: 12 }), given => {
          const first = reading();
          const parts = given.map(first.number);
          assertSame(readParts(shape, writeParts(shape, parts)), parts);
        }),
        { numRuns: runs(600) },
      );
    });
  }

  it('gives a client of the Agent API all frames, and takes them off again', () => {
    const events = writeParts(agentApiShape, [chunk('Hi'), chunk('!'), END]);
    assert.deepEqual(
      events.map(event => {
        const { sequence_number, object, status, delta, text } = jsonOf(event) as Record<string, unknown>;
        return [sequence_number, object, status, delta, text];
      }),
      [
        [0, 'response', 'created', undefined, undefined],
        [1, 'response', 'in_progress', undefined, undefined],
        [2, 'message', 'in_progress', undefined, undefined],
        [3, 'content', 'in_progress', true, 'Hi'],
        [4, 'content', 'in_progress', true, '!'],
        [5, 'content', 'completed', false, 'Hi!'],
        [6, 'message', 'completed', undefined, undefined],
        [7, 'response', 'completed', undefined, undefined],
      ],
    );
    assertSame(readParts(agentApiShape, events), [chunk('Hi'), chunk('!'), END]);
  });

  it('gives a client of Responses all frames, and takes them off again', () => {
    const events = writeParts(responsesShape, [chunk('Hi'), chunk('!'), END]);
    assert.deepEqual(
      events.map(event => (jsonOf(event) as Record<string, unknown>)['type']),
      [
        'response.created',
        'response.in_progress',
        'response.output_item.added',
        'response.content_part.added',
        'response.output_text.delta',
        'response.output_text.delta',
        'response.output_text.done',
        'response.content_part.done',
        'response.output_item.done',
        'response.completed',
      ],
    );
    const last = jsonOf(events.at(-1) ?? textValue('')) as { response: { output: unknown } };
    assert.deepEqual(last.response.output, [
      {
        id: 'msg_1',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'Hi!' }],
      },
    ]);
    assertSame(readParts(responsesShape, events), [chunk('Hi'), chunk('!'), END]);
  });

  it('carries a real stream with all its oddities through Responses', () => {
    const parts = readParts(agentApiShape, valuesOf(AGENT_EVENTS));
    assert.deepEqual(
      parts.map(({ fields }) => [fields.event, fields.data].map(value => value && jsonOf(value))),
      [
        ['created', undefined],
        ['open', undefined],
        [undefined, 'Hi'],
        [undefined, ' you'],
        ['content_done', undefined],
        ['close', undefined],
        ['begin', undefined],
        ['open', undefined],
        ['arguments', '{"a":1}'],
        ['close', undefined],
        ['open', undefined],
        [undefined, 'odd'],
      ],
    );
    const there = writeParts(responsesShape, parts);
    const back = readParts(responsesShape, there);
    assertSame(back, parts);
    const events = writeParts(agentApiShape, back);
    assert.deepEqual(
      events.map(jsonOf),
      AGENT_EVENTS.map(event => event),
    );
  });

  it('carries texts and calls event by event between both', () => {
    const step = fc.oneof(
      fc.string({ maxLength: 3 }).map(text => [chunk(text)]),
      fc
        .tuple(fc.string({ maxLength: 3 }), fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }))
        .map(([id, deltas]) => [
          message('chunk', {
            event: textValue('open'),
            items: {
              kind: 'list',
              items: valuesOf([{ type: 'function_call', call_id: id, name: 'f', arguments: '' }]),
            },
          }),
          ...deltas.map(delta => message('chunk', { event: textValue('arguments'), data: textValue(delta) })),
        ]),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 4 }), steps => {
        const parts = [...steps.flat(), END];
        const agent = writeParts(agentApiShape, parts);
        assert.doesNotMatch(JSON.stringify(agent.map(jsonOf)), /heartbeat/);
        const fromAgent = readParts(agentApiShape, agent);
        assertSame(fromAgent, parts);
        const responses = writeParts(responsesShape, fromAgent);
        assert.doesNotMatch(JSON.stringify(responses.map(jsonOf)), /parley\.part/);
        assertSame(readParts(responsesShape, responses), parts);
      }),
      { numRuns: runs(300) },
    );
  });

  it('reads any mix of events, and writes what it read as it was', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(AGENT_EVENTS), events => {
        const parts = readParts(agentApiShape, valuesOf(events));
        assertSame(readParts(agentApiShape, writeParts(agentApiShape, parts)), parts);
      }),
      { numRuns: runs(300) },
    );
  });

  it('reads a long stream in one pass', () => {
    const many = Array.from({ length: sized(5_000) }, (_, at) => chunk(`part ${at} `));
    for (const shape of SHAPES)
      assertSame(readParts(shape, writeParts(shape, [...many, END])), [...many, END]);
  });
});
