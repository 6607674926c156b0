import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ProtocolName } from '../../../../core/catalog/protocols.ts';
import type { StoredBytes } from '../../../../core/events/events.ts';
import { Report } from '../../../../core/message/report.ts';
import { ReplyReader } from '../../../../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../../../language/tools.ts';
import { ReplyReading } from '../../../../protocols/recognise/reply.ts';
import { readParts } from '../../../../protocols/reply-parts/parts-reader.ts';
import type { TracePart } from '../../../../protocols/reply-parts/part.ts';
import { protocolOf } from '../../../support/protocol.ts';
import { sized } from '../../../support/size.ts';

interface Stream {
  readonly begin: readonly object[];
  readonly delta: (index: number, text: string) => object;
  readonly end: readonly object[];
}

const result = (value: object): object => ({ jsonrpc: '2.0', id: 1, result: value });
const TASK = { taskId: 't', contextId: 'c' };
const MESSAGE = { object: 'message', type: 'message', id: 'm', role: 'assistant' };
const ITEM = { item_id: 'i', output_index: 0, content_index: 0 };
const item = { type: 'message', id: 'i', role: 'assistant', status: 'in_progress', content: [] };

const STREAMS = {
  a2a: {
    begin: [result({ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } })],
    delta: (index, text) =>
      result({
        artifactUpdate: { ...TASK, append: index > 0, artifact: { artifactId: 'a', parts: [{ text }] } },
      }),
    end: [result({ statusUpdate: { ...TASK, status: { state: 'TASK_STATE_COMPLETED' } } })],
  },
  'agent-api': {
    begin: [
      { object: 'response', status: 'in_progress', id: 'r', sequence_number: 0 },
      { ...MESSAGE, status: 'in_progress', sequence_number: 1 },
    ],
    delta: (index, text) => ({
      object: 'content',
      type: 'text',
      delta: true,
      index: 0,
      msg_id: 'm',
      text,
      sequence_number: index + 2,
    }),
    end: [
      { ...MESSAGE, status: 'completed' },
      { object: 'response', status: 'completed', id: 'r' },
    ],
  },
  responses: {
    begin: [
      {
        type: 'response.created',
        sequence_number: 0,
        response: { id: 'r', object: 'response', status: 'in_progress', model: 'm', output: [] },
      },
      { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item },
    ],
    delta: (index, text) => ({
      type: 'response.output_text.delta',
      sequence_number: index + 2,
      ...ITEM,
      delta: text,
    }),
    end: [
      {
        type: 'response.completed',
        response: { id: 'r', object: 'response', status: 'completed', model: 'm', output: [] },
      },
    ],
  },
  mcp: {
    begin: [],
    delta: (index, message) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: index, message },
    }),
    end: [result({ content: [{ type: 'text', text: 'done' }] })],
  },
} as const satisfies Partial<Record<ProtocolName, Stream>>;

type Name = keyof typeof STREAMS;
const NAMES = Object.keys(STREAMS) as readonly Name[];

const deltas = (name: Name, count: number, first = 0): readonly object[] =>
  Array.from({ length: count }, (_, at) => STREAMS[name].delta(first + at, `${first + at} `));
const whole = (name: Name, count: number): readonly object[] => [
  ...STREAMS[name].begin,
  ...deltas(name, count),
  ...STREAMS[name].end,
];
const print = (events: readonly (object | string)[]): readonly string[] =>
  events.map(each => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`);

const SSE = [{ name: 'content-type', value: 'text/event-stream' }];

function textsOf({ text, children = [] }: TracePart): readonly string[] {
  return [...(text === undefined ? [] : [text]), ...children.flatMap(textsOf)];
}

function notesOf({ notes = [], children = [] }: TracePart): readonly string[] {
  return [...notes, ...children.flatMap(notesOf)];
}

/** What the three readers say of a reply whose bytes arrive in these pieces. */
function readAll(
  name: Name,
  pieces: readonly Uint8Array[],
): {
  readonly text: string;
  readonly notes: readonly string[];
  readonly status: string;
  readonly work: number;
} {
  const protocol = protocolOf(name);
  const report = new Report();
  const reader = new ReplyReader(protocol, { tools: NO_TOOLS, report });
  const reading = new ReplyReading(protocol, { status: 200, line: '200 OK', headers: SSE });
  const decoder = new TextDecoder();
  for (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true });
    const before = reader.work;
    reader.push(text);
    // Each push is searched and joined once, whatever came before.
    assert.ok(reader.work - before <= 3 * text.length + 100_000);
    reading.push(text);
  }
  reader.end();
  const common = { call: 'c', at: 0, direction: 'in' } as const;
  const stored = (piece: Uint8Array): StoredBytes => ({ base64: Buffer.from(piece).toString('base64') });
  const { parts, notes } = readParts(
    protocol,
    [
      { ...common, type: 'head', line: '200 OK', headers: SSE },
      ...pieces.map(piece => ({ ...common, type: 'wire', bytes: stored(piece) }) as const),
    ],
    'ended',
  );
  const { status, fault } = reading.end();
  return {
    text: parts.flatMap(textsOf).join(''),
    notes: [...new Set([...report.notes.map(note => note.message), ...notes, ...parts.flatMap(notesOf)])],
    status: fault?.status ?? status,
    work: reader.work,
  };
}

const bytesOf = (texts: readonly string[]): readonly Uint8Array[] => texts.map(text => Buffer.from(text));

describe('a stream of events that is not as it should be', () => {
  for (const name of NAMES) {
    const stream = STREAMS[name];
    const read = (events: readonly (object | string)[]): ReturnType<typeof readAll> =>
      readAll(name, bytesOf(print(events)));

    it(`${name}: is read to its last event without an end, and is incomplete`, () => {
      const count = sized(50_000, 2_000);
      const { text, status } = read([...stream.begin, ...deltas(name, count)]);
      assert.equal(status, 'incomplete');
      assert.ok(text.includes(`${count - 1} `), 'the last text is there');
    });

    it(`${name}: takes work in proportion to its events`, () => {
      const [few, many] = [read(whole(name, 500)), read(whole(name, 5_000))];
      assert.ok(many.work < 15 * few.work, `${many.work} for ten times ${few.work}`);
    });

    it(`${name}: may have an event of 10 MB`, () => {
      const long = 'long '.repeat(sized(2_000_000, 200_000));
      const { text, status } = read([...stream.begin, stream.delta(0, long), ...stream.end]);
      assert.equal(status, 'ok');
      assert.ok(text.includes(long), 'all of it is there');
    });

    it(`${name}: may be cut within a character`, () => {
      const texts = print([
        ...stream.begin,
        stream.delta(0, 'grün 😀 '),
        stream.delta(1, 'ende '),
        ...stream.end,
      ]);
      const bytes = Buffer.from(texts.join(''));
      const smiley = bytes.indexOf(Buffer.from('😀'));
      for (const cut of [smiley + 1, smiley + 2, smiley + 3]) {
        const { text, status } = readAll(name, [bytes.subarray(0, cut), bytes.subarray(cut)]);
        assert.deepEqual([text.includes('grün 😀 '), text.includes('ende '), status], [true, true, 'ok']);
      }
      const { text } = readAll(name, [bytes.subarray(0, smiley + 2)]);
      assert.ok(text.includes('grün') || name === 'mcp' || text === '', text);
    });

    it(`${name}: may have events that are doubled or out of order, with a note`, () => {
      const doubled = read(whole(name, 5).flatMap(each => [each, each]));
      assert.ok(doubled.notes.length > 0);
      assert.ok(doubled.text.includes('4 '));
      const turned = read([...stream.begin, ...deltas(name, 5).toReversed(), ...stream.end]);
      // Numbered events are put in order.
      const isNumbered = name === 'agent-api' || name === 'responses';
      if (isNumbered) assert.ok(turned.text.includes('0 1 2 3 4 '), turned.text);
      else assert.ok(turned.notes.length > 0);
    });

    it(`${name}: may go on after its end, with a note`, () => {
      const { notes, text } = read([...whole(name, 5), ...deltas(name, 3, 5)]);
      assert.ok(text.includes('7 '));
      assert.ok(
        notes.some(note => /after the (?:response|task|reply)|came after/i.test(note)),
        notes.join('\n'),
      );
    });

    it(`${name}: may hold events that are not JSON, and those of another protocol, with a note`, () => {
      const other = name === 'responses' ? 'agent-api' : 'responses';
      for (const strange of [['{"half', 'text'], whole(other, 3)]) {
        const { notes, text, status } = read([
          ...stream.begin,
          ...deltas(name, 2),
          ...strange,
          ...deltas(name, 2, 2),
          ...stream.end,
        ]);
        assert.equal(status, 'ok');
        assert.ok(text.includes('1 ') && text.includes('3 '), text);
        assert.ok(notes.length > 0);
      }
    });
  }

  it('says in a conversion what it could not read, and what came too late', () => {
    const report = new Report();
    const reader = new ReplyReader(protocolOf('a2a'), { tools: NO_TOOLS, report });
    const late = deltas('a2a', 2, 1);
    for (const text of print(['{"half', { type: 'ping' }, ...whole('a2a', 1), ...late])) reader.push(text);
    reader.end();
    assert.deepEqual(
      report.notes.map(({ message }) => message),
      [
        "1 of the stream's events are not JSON; they are only in the raw reply",
        "1 of the stream's events are no messages of A2A; they are only in the raw reply",
        '2 events came after the end of the reply',
      ],
    );
  });
});
