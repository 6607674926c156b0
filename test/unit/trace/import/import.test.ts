import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TraceEvent } from '../../../../core/events/events.ts';
import { readParts } from '../../../../protocols/reply-parts/parts-reader.ts';
import { importTrace } from '../../../../trace/import/import.ts';
import { outline } from '../support/picture.ts';
import { foldTrace } from '../../../support/at-once.ts';
import { sized } from '../../../support/size.ts';

const AIO_NAME = { scheme: 'aio', trace: 'AIO-TR-20250326-0001' };
/** Midnight of the day that the trace id names. */
const DAY = Date.UTC(2025, 2, 26);
const NO_TIMES =
  "The graph 'AIO-TR-20250326-0001' has no times: its calls are shown in its order, a millisecond apart";

function aioCall(id: string, at: number, members: object): object {
  const call = `AIO-TR-20250326-0001#${id}`;
  const names = [{ ...AIO_NAME, id }];
  return { type: 'call', call, trace: AIO_NAME.trace, at, protocol: 'aio', names, ...members };
}

describe('graphs of AIO', () => {
  it('are read in the shape of the document', () => {
    const graph = {
      trace_id: 'AIO-TR-20250326-0001',
      calls: [
        {
          id: 1,
          agent: 'reader',
          method: 'resources.list',
          input: {},
          output: { resources: [] },
          status: 'ok',
        },
        { id: 2, agent: 'reader', method: 'sampling.start', input: { a: 1 }, output: 'words' },
        { id: 3, agent: 'reader', method: 'reader::tools.call', input: {} },
        { id: 4, agent: 'reader', method: 'x', output: 1, status: 'error', reward: 0.5 },
      ],
    };
    const wire = (id: number, direction: string, text: string): object => ({
      type: 'wire',
      call: `AIO-TR-20250326-0001#${id}`,
      at: DAY + id - 1,
      direction,
      bytes: { text },
    });
    const end = (id: number, status: string): object => ({
      type: 'end',
      call: `AIO-TR-20250326-0001#${id}`,
      at: DAY + id - 1,
      status,
    });
    assert.deepEqual(importTrace(JSON.stringify(graph), ALL_PROTOCOLS), {
      ok: true,
      events: [
        aioCall('1', DAY, { agent: 'reader', title: 'resources.list' }),
        end(1, 'ok'),
        wire(1, 'out', '{}'),
        wire(1, 'in', '{"resources":[]}'),
        aioCall('2', DAY + 1, { agent: 'reader', title: 'sampling.start' }),
        end(2, 'ok'),
        wire(2, 'out', '{"a":1}'),
        wire(2, 'in', 'words'),
        aioCall('3', DAY + 2, { agent: 'reader', title: 'tools.call' }),
        wire(3, 'out', '{}'),
        aioCall('4', DAY + 3, { agent: 'reader', title: 'x' }),
        {
          type: 'attributes',
          call: 'AIO-TR-20250326-0001#4',
          at: DAY + 3,
          attributes: [{ name: 'reward', json: '0.5' }],
        },
        end(4, 'error'),
        wire(4, 'in', '1'),
      ],
      notes: [NO_TIMES],
    });
  });

  it('are read in the shape with lists, protocol and parts', () => {
    const graph = {
      trace_id: 'AIO-TR-20250326-0001',
      calls: [
        {
          id: 'a',
          protocol: 'mcp',
          type: 'stdio',
          agent: 'reader',
          method: 'x',
          inputs: [{ type: 'text', value: 'one' }],
          outputs: [1, 2],
          status: 'error',
          partial: true,
        },
        {
          id: 'b',
          protocol: 'telepathy',
          agent: 'reader',
          method: 'y',
          inputs: [],
          outputs: [],
          status: 'pending',
          parent: 'a',
        },
      ],
    };
    const call = 'AIO-TR-20250326-0001#a';
    assert.deepEqual(importTrace(JSON.stringify(graph), ALL_PROTOCOLS), {
      ok: true,
      events: [
        aioCall('a', DAY, { agent: 'reader', title: 'x', protocol: 'mcp' }),
        { type: 'attributes', call, at: DAY, attributes: [{ name: 'type', json: '"stdio"' }] },
        { type: 'end', call, at: DAY, status: 'incomplete' },
        { type: 'wire', call, at: DAY, direction: 'out', bytes: { text: '{"type":"text","value":"one"}' } },
        { type: 'wire', call, at: DAY, direction: 'in', bytes: { text: '{"outputs":[1,2]}' } },
        aioCall('b', DAY + 1, { agent: 'reader', title: 'y', parent: call }),
        {
          type: 'attributes',
          call: 'AIO-TR-20250326-0001#b',
          at: DAY + 1,
          attributes: [{ name: 'protocol', json: '"telepathy"' }],
        },
      ],
      notes: [NO_TIMES],
    });
  });

  it('are read several in a list or one a line, ids that are there twice too', () => {
    const graph =
      '{"trace_id":"t","calls":[{"id":1,"agent":"a","method":"x"},{"id":1,"agent":"a","method":"x"},7]}';
    for (const text of [`[${graph},${graph}]`, `${graph}\n${graph}\n`]) {
      const imported = importTrace(text, ALL_PROTOCOLS);
      assert.ok(imported.ok);
      assert.deepEqual(
        imported.events.map(event => event.call),
        ['t#1', 't#1/3', 't#1/4', 't#1/5'],
      );
      assert.deepEqual(imported.notes, [
        "The id '1' is there twice in the graph 't'",
        "Call 3 of the graph 't' is not an object; it is left out",
        "The graph 't' has no times: its calls are shown in its order, a millisecond apart",
        "The id '1' is there twice in the graph 't'",
        "The id '1' is there twice in the graph 't'",
        "Call 3 of the graph 't' is not an object; it is left out",
        "The graph 't' has no times: its calls are shown in its order, a millisecond apart",
      ]);
    }
  });
});

describe('graphs of AIO as they are written', () => {
  it('keep every digit, the order of members, and a member of any name', () => {
    const text =
      '{"result":"x","trace_id":"t","calls":[{"id":1,"agent":"a","method":"m","input":{"2": 12345678901234567890 ,"1":1.0},"outputs":[ 9007199254740993, 1e400 ],"reward":0.10},{"id":2,"agent":"a","method":"m","inputs":[1.50],"output":null},{"id":3,"agent":"a","method":"m","input":{"base64":"%%%"},"output":{"base64":"AAA="}}]}';
    const imported = importTrace(text, ALL_PROTOCOLS);
    assert.ok(imported.ok, imported.ok ? '' : imported.error);
    assert.deepEqual(
      imported.events.flatMap((event): readonly unknown[] => {
        if (event.type === 'wire') return [[event.call, event.direction, event.bytes]];
        return event.type === 'attributes' ? [[event.call, event.attributes]] : [];
      }),
      [
        ['t#1', [{ name: 'reward', json: '0.10' }]],
        ['t#1', 'out', { text: '{"2":12345678901234567890,"1":1.0}' }],
        ['t#1', 'in', { text: '{"outputs":[9007199254740993,1e400]}' }],
        ['t#2', 'out', { text: '1.50' }],
        ['t#2', 'in', { text: 'null' }],
        ['t#3', 'out', { text: '{"base64":"%%%"}' }],
        ['t#3', 'in', { base64: 'AAA=' }],
      ],
    );
  });

  it('keep a status that no graph has, and say what it is taken for', () => {
    const imported = importTrace(
      '{"trace_id":"t","calls":[{"id":1,"agent":"a","method":"m","output":{},"status":"failed"},{"id":2,"agent":"a","method":"m","output":1,"status":null}]}',
      ALL_PROTOCOLS,
    );
    assert.ok(imported.ok, imported.ok ? '' : imported.error);
    assert.deepEqual(
      [
        imported.events.flatMap(event => (event.type === 'attributes' ? [event.call, event.attributes] : [])),
        imported.notes[0],
      ],
      [
        ['t#1', [{ name: 'status', json: '"failed"' }]],
        "The graph 't' has a status that is none of ok, error and pending: '\"failed\"'; the status of that call is taken from its output",
      ],
    );
  });

  it('are read as the result of an answer', () => {
    const text = '{"jsonrpc":"2.0","result":{"trace_id":"t","calls":[{"id":1,"agent":"a","method":"m"}]}}';
    const imported = importTrace(text, ALL_PROTOCOLS);
    assert.ok(imported.ok, imported.ok ? '' : imported.error);
    assert.deepEqual(
      imported.events.map(event => event.call),
      ['t#1'],
    );
  });
});

describe('a recorded body of events', () => {
  it('is read as one call, event by event', () => {
    const events = [
      '{"sequence_number":0,"object":"response","status":"created","error":null,"id":"response_1","created_at":1795291894,"output":null,"session_id":"s1"}',
      '{"sequence_number":1,"object":"content","status":"in_progress","type":"text","index":0,"delta":true,"msg_id":"msg_1","text":"Hi"}',
      '{"sequence_number":2,"object":"message","status":"completed","id":"msg_1","type":"message","role":"assistant","content":[{"object":"content","status":"completed","type":"text","index":0,"delta":false,"msg_id":"msg_1","text":"Hi"}]}',
      '{"sequence_number":3,"object":"response","status":"completed","id":"response_1","usage":{"input_tokens":5,"output_tokens":2},"session_id":"s1"}',
    ].map(data => `data: ${data}\n\n`);
    const imported = importTrace(events.join(''), ALL_PROTOCOLS);
    assert.ok(imported.ok);
    const [call, ...rest] = imported.events;
    const at = 1795291894000;
    assert.deepEqual(call, {
      type: 'call',
      call: 'reply#1',
      trace: 'reply',
      at,
      agent: 'recorded agent',
      protocol: 'agent-api',
      title: 'recorded reply',
      session: 's1',
    });
    assert.deepEqual(rest.at(-1), {
      type: 'end',
      call: 'reply#1',
      at,
      status: 'ok',
      usage: { input: 5, output: 2 },
    });
    const pieces = rest.flatMap(event =>
      event.type === 'wire' && 'text' in event.bytes ? [event.bytes.text] : [],
    );
    assert.deepEqual([pieces.length, pieces.join('')], [4, events.join('')]);
    assert.deepEqual(imported.notes, [
      'A recorded body contains neither its request nor the times of its chunks',
    ]);
  });
});

/** The example of the Agent API's document, "Example Use Case", as it is printed there. */
const EXAMPLE = [
  '{"id":"response_123","object":"response","status":"created"}',
  '{"id":"msg_abc","object":"message","type":"assistant","status":"created"}',
  '{"status":"in_progress","type":"text","index":0,"delta":true,"text":"This","object":"content","msg_id":"msg_abc"}',
  '{"status":"in_progress","type":"text","index":0,"delta":true,"text":" image shows...","object":"content","msg_id":"msg_abc"}',
  '{"status":"completed","type":"text","index":0,"delta":false,"text":"This image shows...","object":"content","msg_id":"msg_abc"}',
  '{"id":"msg_abc","status":"completed","object":"message"}',
  '{"id":"response_123","status":"completed","object":"response"}',
];

describe('recorded events as lines of JSON', () => {
  const importLines = (text: string): readonly TraceEvent[] => {
    const imported = importTrace(text, ALL_PROTOCOLS);
    assert.ok(imported.ok, imported.ok ? '' : imported.error);
    return imported.events;
  };

  for (const [name, text] of [
    ['LF', `${EXAMPLE.join('\n')}\n`],
    ['CRLF', EXAMPLE.join('\r\n')],
    ['a byte order mark', `\ufeff${EXAMPLE.join('\n')}`],
    ['blank lines', EXAMPLE.join('\n\n')],
  ] as const)
    it(`are read as one call, with ${name}`, () => {
      const events = importLines(text);
      const pieces = events.filter(event => event.type === 'wire');
      const { type, status } = events.at(-1) as { readonly type: string; readonly status?: string };
      assert.deepEqual([events[0]?.type, pieces.length, type, status], ['call', 7, 'end', 'ok']);
      const { parts, notes } = readParts(ALL_PROTOCOLS.find('agent-api'), pieces, 'ended');
      assert.deepEqual(
        [parts.map(({ kind, text: shown, status: own }) => [kind, shown, own]), notes],
        [[['message', 'This image shows...', 'ok']], []],
      );
    });

  it('are incomplete if the last one is missing or broken', () => {
    for (const text of [EXAMPLE.slice(0, 4).join('\n'), `${EXAMPLE.slice(0, 4).join('\n')}\n{"id":`])
      assert.equal((importLines(text).at(-1) as { readonly status?: string }).status, 'incomplete');
  });

  it('of another kind are refused', () => {
    for (const text of ['{"a":1}\n{"b":2}', '{"object":"response"', `[${EXAMPLE.join(',')}]`])
      assert.equal(importTrace(text, ALL_PROTOCOLS).ok, false, text);
  });
});

describe('other files', () => {
  for (const [name, text, error] of [
    [
      'an empty file',
      ' \n',
      'The file is empty; open a trace file, an AIO graph, OTLP JSON, HAR or the events of a reply',
    ],
    [
      'any other text',
      'hello\nworld',
      "This is neither a trace file nor an AIO graph, OTLP JSON, HAR or the events of a reply. It begins with 'hello'",
    ],
    [
      'JSON that is cut',
      '{"trace_id":"t","calls":[',
      'This is neither a trace file nor an AIO graph, OTLP JSON, HAR or the events of a reply. It begins like JSON but is incomplete',
    ],
    [
      'a trace file of a newer version',
      '{"format":"agenttrace","version":9}\n{}',
      'The trace file has version 9 and this program reads up to version 1; update it to open the file',
    ],
  ] as const)
    it(`are refused with a reason: ${name}`, () => {
      assert.deepEqual(importTrace(text, ALL_PROTOCOLS), { ok: false, error });
    });
});

describe('hostile files', () => {
  const span = (spanId: string, members: object): object => ({
    traceId: 't',
    spanId,
    name: spanId,
    startTimeUnixNano: '1000000',
    endTimeUnixNano: '2000000',
    ...members,
  });
  const load = (spans: readonly object[]): string => {
    const imported = importTrace(
      JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
      ALL_PROTOCOLS,
    );
    return imported.ok ? outline(foldTrace(imported.events)) : imported.error;
  };

  it('load with cycles of ids, names of prototypes, and times that no clock tells', () => {
    assert.equal(
      load([span('a', { parentSpanId: 'b' }), span('b', { parentSpanId: 'a' })]),
      't: a{Its parents form a cycle}(=b)',
    );
    assert.equal(
      load([span('__proto__', {}), span('constructor', { parentSpanId: '__proto__' })]),
      't: __proto__(=constructor)',
    );
    assert.equal(
      load([span('a', { startTimeUnixNano: '99999999999999999999', endTimeUnixNano: '-5' })]),
      't: a',
    );
  });

  it('load where they are nested as deep as the engine reads', () => {
    const depth = sized(100_000, 2_000);
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const texts = [
      `{"trace_id":"t","calls":[{"id":1,"agent":"a","method":"m","input":${deep}}]}`,
      `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t","spanId":"s","startTimeUnixNano":"1","attributes":[{"key":"k","value":${'{"arrayValue":{"values":['.repeat(1000)}${']}}'.repeat(1000)}}]}]}]}]}`,
      `{"log":{"entries":[{"startedDateTime":"2026-01-02T03:04:05Z","request":{"method":"GET","url":"http://a/","headers":${deep}}}]}}`,
      `data: ${deep}\n\n`,
      deep,
    ];
    assert.deepEqual(
      texts.map(text => {
        const imported = importTrace(text, ALL_PROTOCOLS);
        return imported.ok ? imported.events.filter(({ type }) => type === 'call').length : 'refused';
      }),
      [1, 1, 1, 1, 'refused'],
    );
  });

  it('never throw, wherever they are cut', () => {
    const whole = JSON.stringify({
      log: {
        entries: [{ startedDateTime: '2026-01-02T03:04:05Z', request: { method: 'GET', url: 'http://a/' } }],
      },
    });
    const graph =
      '{"trace_id":"t","calls":[{"id":1,"agent":"a","method":"m","parley":{"call":{"call":"c"}}}]}';
    for (const text of [whole, graph, 'data: {"object":"response","status":"created"}\n\ndata: [DONE]\n\n'])
      for (let end = 0; end <= text.length; end++) importTrace(text.slice(0, end), ALL_PROTOCOLS);
    assert.deepEqual(
      [importTrace(whole, ALL_PROTOCOLS).ok, importTrace(graph, ALL_PROTOCOLS).ok],
      [true, true],
    );
  });

  it('load very many spans of one parent', () => {
    const spans = Array.from(
      { length: sized(200_000) },
      (_, index) =>
        `{"traceId":"t","spanId":"s${index}","parentSpanId":"s0","name":"n","startTimeUnixNano":"1000000","endTimeUnixNano":"2000000"}`,
    );
    const imported = importTrace(
      `{"resourceSpans":[{"scopeSpans":[{"spans":[${spans.join(',')}]}]}]}`,
      ALL_PROTOCOLS,
    );
    assert.equal(imported.ok && imported.events.length, sized(400_000));
  });
});
