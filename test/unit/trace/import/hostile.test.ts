import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { printTraceEvent, printTraceHeader } from '../../../../trace/file.ts';
import { TraceFold } from '../../../../trace/fold/fold.ts';
import { importTrace } from '../../../../trace/import/import.ts';
import { parseTraceFile } from '../../../support/at-once.ts';
import { runs } from '../../../support/size.ts';

const RUNS = runs(300);

const SPAN = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  parentSpanId: '00f067aa0ba902b8',
  name: 'chat',
  kind: 3,
  startTimeUnixNano: '1760000000000000000',
  endTimeUnixNano: '1760000000100000000',
  status: { code: 2, message: 'no' },
  attributes: [
    { key: 'gen_ai.operation.name', value: { stringValue: 'execute_tool' } },
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '12' } },
    { key: 'list', value: { arrayValue: { values: [{ doubleValue: 1.5 }, { boolValue: true }] } } },
    { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { bytesValue: 'AA==' } }] } } },
    { key: 'parley.call', value: { stringValue: '{"call":{"call":"c","trace":"t","at":1}}' } },
  ],
  events: [{ name: 'exception', timeUnixNano: '1760000000050000000', attributes: [] }],
  links: [{ traceId: '4bf92f3577b34da6a3ce929d0e0e4737', spanId: '00f067aa0ba902b9' }],
};

/** A whole file of each kind. */
const FILES: Readonly<Record<string, unknown>> = {
  AIO: {
    trace_id: 'AIO-TR-20260301-0001',
    calls: [
      {
        id: 1,
        agent: 'planner',
        method: 'plan',
        input: { a: 1 },
        output: [2],
        status: 'ok',
        started_at: '2026-03-01T00:00:00Z',
      },
      {
        id: 2,
        parent: 1,
        agent: 'booker',
        method: 'book',
        status: 'error',
        error: { code: -1, message: 'x' },
      },
    ],
  },
  'AIO with lists': {
    trace_id: 'AIO-TR-20260301-0001',
    protocol: 'aio',
    nodes: [{ id: 'a', agent: 'planner' }],
    edges: [{ from: 'a', to: 'b', method: 'm', partial: true }],
    calls: [{ call_id: 'x', to: 'b', status: 'pending' }],
  },
  OTLP: {
    resourceSpans: [
      {
        resource: { attributes: [{ key: 'service.name', value: { stringValue: 'weather' } }] },
        scopeSpans: [{ scope: { name: 's' }, spans: [SPAN] }],
      },
    ],
  },
  HAR: {
    log: {
      version: '1.2',
      entries: [
        {
          startedDateTime: '2026-01-02T03:04:05.678Z',
          time: 30,
          request: {
            method: 'POST',
            url: 'http://127.0.0.1:3000/mcp?token=secret',
            headers: [{ name: 'traceparent', value: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }],
            postData: {
              mimeType: 'application/json',
              text: '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
            },
          },
          response: {
            status: 200,
            statusText: 'OK',
            headers: [{ name: 'content-type', value: 'application/json' }],
            content: { text: '{"jsonrpc":"2.0","id":1,"result":{}}' },
          },
          timings: { send: 0, wait: 20, receive: 10 },
          _parley: { call: { call: 'c', trace: 't', at: 1, agent: 'a', protocol: 'mcp', title: 'x' } },
        },
      ],
    },
  },
  Jaeger: {
    data: [
      {
        traceID: 'abc',
        processes: { p1: { serviceName: 'weather', tags: [{ key: 'a', type: 'string', value: 'b' }] } },
        warnings: ['odd'],
        spans: [
          {
            traceID: 'abc',
            spanID: 'def',
            operationName: 'get',
            references: [{ refType: 'CHILD_OF', traceID: 'abc', spanID: '123' }],
            startTime: 1_760_000_000_000_000,
            duration: 1_500,
            tags: [{ key: 'error', type: 'bool', value: true }],
            logs: [
              { timestamp: 1_760_000_000_000_001, fields: [{ key: 'event', type: 'string', value: 'x' }] },
            ],
            processID: 'p1',
            warnings: ['late'],
          },
        ],
      },
    ],
  },
};

const STREAM = {
  created: { object: 'response', status: 'created', created_at: 1_760_000_000, session_id: 's' },
  delta: { object: 'content', type: 'text', text: 'x', delta: true, msg_id: 'm', sequence_number: 3 },
  completed: {
    object: 'response',
    status: 'completed',
    usage: { input_tokens: 3, output_tokens: 4 },
    error: null,
  },
};

/** What has no business there. */
const nasty = fc.constantFrom<unknown>(
  null,
  true,
  '',
  'x',
  '__proto__',
  '<img src=x onerror="globalThis.hurt=1">',
  -1,
  0,
  1.5,
  1e300,
  -1e300,
  Number.MAX_VALUE,
  2 ** 60,
  '99999999999999999999999999',
  '-1',
  '1e999',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00T00:00:00Z',
  [],
  {},
  [[[]]],
  [null],
  JSON.parse('{"__proto__":{"a":1},"constructor":null}'),
);

/** A change of a value: at the place that the numbers lead to, there is another value, or the same one twice. */
const change = fc.record({ way: fc.array(fc.nat(12), { maxLength: 9 }), value: fc.option(nasty) });

interface Change {
  readonly way: readonly number[];
  readonly value: unknown;
}

function apply(whole: unknown, { way, value }: Change): unknown {
  const [next, ...rest] = way;
  if (next === undefined || typeof whole !== 'object' || whole === null) return value;
  const names = Object.keys(whole);
  const name = names[next % Math.max(1, names.length)];
  if (name === undefined) return value;
  const member: unknown = Reflect.get(whole, name);
  if (Array.isArray(whole)) {
    const items: readonly unknown[] = whole;
    return items.flatMap((item, at) =>
      String(at) !== name
        ? [item]
        : value === null && rest.length === 0
          ? [item, item]
          : [apply(item, { way: rest, value })],
    );
  }
  return { ...whole, [name]: apply(member, { way: rest, value }) };
}

/** Asserts that a file loads or is refused, and that each of its events is one that a trace file can hold. */
function assertLoads(text: string): boolean {
  const imported = importTrace(text, ALL_PROTOCOLS);
  if (!imported.ok) {
    assert.match(imported.error, /\w/);
    return false;
  }
  const printed = imported.events.map(printTraceEvent).join('');
  const read = parseTraceFile(printTraceHeader('test') + printed);
  assert.deepEqual(read, { events: JSON.parse(JSON.stringify(imported.events)) as unknown, notes: [] });
  const fold = new TraceFold();
  for (const event of imported.events) fold.add(event);
  const calls = new Set(imported.events.flatMap(event => (event.type === 'call' ? [event.call] : [])));
  assert.equal(
    fold.trees().reduce((sum, { size }) => sum + size, 0),
    calls.size,
  );
  assert.deepEqual(fold.notes(), []);
  return true;
}

describe('files of others with what has no business in them', () => {
  for (const [kind, file] of Object.entries(FILES))
    it(`load as far as they can be read: ${kind}`, () => {
      assert.equal(assertLoads(JSON.stringify(file)), true);
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), changes => {
          assertLoads(JSON.stringify(changes.reduce(apply, file)));
        }),
        { numRuns: RUNS },
      );
    });

  it('load where their times are more than numbers hold', () => {
    const [huge, unexpected] = [Number.MAX_VALUE, { _parley: { at: Number.MAX_VALUE, of: 'c' } }];
    const request = { method: 'GET', url: 'http://a/' };
    const call = { call: { call: 'c', trace: 't', at: huge, agent: 'a', protocol: 'mcp', title: 'x' } };
    const entries = [
      { time: huge, request, response: { status: 200 }, _parley: { ...call, at: huge } },
      { time: huge, request, response: { status: 200 }, ...unexpected },
    ];
    assert.equal(assertLoads(JSON.stringify({ log: { entries } })), true);
    const spans = [{ traceID: 'a', spanID: 'b', startTime: huge, duration: huge }];
    assert.equal(assertLoads(JSON.stringify({ data: [{ spans }] })), true);
    assert.equal(assertLoads(`data: {"object":"response","created_at":${huge}}\n\n`), true);
  });

  it('load as far as they can be read: a body of server-sent events', () => {
    const body = (changes: readonly Change[]): string =>
      Object.values(changes.reduce(apply, STREAM) ?? {})
        .map(event => `event: x\nid: 1\ndata: ${JSON.stringify(event)}\n\n`)
        .join('');
    assert.equal(assertLoads(body([])), true);
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), changes => {
        assertLoads(body(changes));
      }),
      { numRuns: RUNS },
    );
  });
});
