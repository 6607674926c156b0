import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TraceFormat } from '../../../../trace/export/trace-formats.ts';
import type { CallEvent, TraceEvent } from '../../../../core/events/events.ts';
import { exportTraceText } from '../../../../trace/export/export.ts';
import { TraceFold } from '../../../../trace/fold/fold.ts';
import { importTrace } from '../../../../trace/import/import.ts';

async function write(format: TraceFormat, events: readonly TraceEvent[]): Promise<string> {
  const fold = new TraceFold();
  for (const event of events) fold.add(event);
  return exportTraceText(format, {
    protocols: ALL_PROTOCOLS,
    trees: fold.trees(),
    payload: async call => fold.find(call)?.payload ?? [],
  });
}

function call(id: string, more: Partial<CallEvent> = {}): CallEvent {
  return { type: 'call', call: id, trace: 't', at: 1, agent: 'a', protocol: 'json-rpc', title: 'x', ...more };
}

function said(id: string, direction: 'out' | 'in', text: string, at = 2): TraceEvent {
  return { type: 'wire', call: id, at, direction, bytes: { text } };
}

function end(id: string, at = 5): TraceEvent {
  return { type: 'end', call: id, at, status: 'ok' };
}

describe('a table of calls', () => {
  it('shows control characters as text, and defuses what begins with a blank that moves on', async () => {
    const rows = (await write('csv', [call('c', { agent: 'a\rb', title: '\tx' })])).split('\r\n');
    assert.deepEqual(rows[1]?.split(',').slice(5, 9), ['', 'aU+000Db', 'json-rpc', "'\tx"]);
  });

  it('names cycles', async () => {
    const events = [call('a'), call('b', { parent: 'a', agent: 'b' }), call('c', { parent: 'b', at: 3 })];
    const rows = (await write('csv', events)).split('\r\n');
    assert.deepEqual(
      rows.slice(1, 4).map(row => row.split(',').at(-2)),
      ['', '', 'a > b > a'],
    );
  });
});

describe('an exchange in HAR', () => {
  it('keeps bytes that are no text, where it was led on to, and how long it took', async () => {
    const text = await write('har', [
      call('c'),
      { type: 'head', call: 'c', at: 1, seq: 1, direction: 'out', line: 'POST http://h/x', headers: [] },
      { type: 'wire', call: 'c', at: 9, seq: 2, direction: 'out', bytes: { base64: '/w==' } },
      {
        type: 'head',
        call: 'c',
        at: 4,
        seq: 3,
        direction: 'in',
        line: '302 Found',
        headers: [{ name: 'Location', value: '/y' }],
      },
      end('c', 9),
    ]);
    const { log } = JSON.parse(text) as {
      log: { entries: readonly [{ time: number; response: { redirectURL: string } }] };
    };
    assert.deepEqual([log.entries[0].response.redirectURL, log.entries[0].time], ['/y', 8]);
    const imported = importTrace(text, ALL_PROTOCOLS);
    assert.deepEqual(
      imported.ok && imported.events.flatMap(event => (event.type === 'wire' ? [event.bytes] : [])),
      [{ base64: '/w==' }],
    );
  });
});

describe('a diagram', () => {
  it('leaves out what another call looks like from the other side, and says so', async () => {
    const events = [
      call('a', { agent: 'planner' }),
      call('v', { agent: 'planner', parent: 'a', at: 2, seen: 'callee', from: 'gateway' }),
      call('b', { agent: 'weather', parent: 'v', at: 3 }),
    ];
    assert.deepEqual((await write('mermaid', events)).split('\n'), [
      'sequenceDiagram',
      '  participant p0 as client',
      '  participant p1 as planner',
      '  participant p2 as weather',
      '  %% Left out as recordings of the same call on another side: 1 of 3 calls',
      '  p0->>p1: x',
      '  p1->>p2: x',
      '',
    ]);
  });

  it('closes a call that its view began within before the next one, at one time', async () => {
    const events = [
      call('a', { agent: 'planner' }),
      call('v', { agent: 'planner', parent: 'a', seen: 'callee' }),
      call('b', { agent: 'weather', parent: 'v' }),
      end('b', 1),
      call('c', { agent: 'booker', parent: 'v' }),
      end('c', 1),
      end('a', 1),
    ];
    assert.deepEqual((await write('mermaid', events)).split('\n').slice(6, -1), [
      '  p0->>p1: x',
      '  p1->>p2: x',
      '  p2-->>p1: ok · 0 ms',
      '  p1->>p3: x',
      '  p3-->>p1: ok · 0 ms',
      '  p1-->>p0: ok · 0 ms',
    ]);
  });

  it('says where it is larger than Mermaid draws unasked', async () => {
    const [first] = (await write('mermaid', [call('c', { title: 'x'.repeat(50_000) })])).split('\n');
    assert.match(first ?? '', /^%% These are 500\d\d characters: set maxTextSize /);
  });
});

describe('a graph of AIO', () => {
  const named = (id: string, at: number, name: string): CallEvent =>
    call(id, { at, protocol: 'aio', names: [{ scheme: 'aio', trace: 'T', id: name }] });

  it('gives each call an id of its own, also where two carry one', async () => {
    const graph = JSON.parse(
      await write('aio', [named('a', 1, '1'), named('b', 2, '1'), named('c', 3, '2'), call('d', { at: 4 })]),
    ) as { calls: readonly { id: unknown; parley: { call: { call: string } } }[] };
    assert.deepEqual(
      graph.calls.map(({ id, parley }) => [parley.call.call, id]),
      [
        ['a', 1],
        ['b', 3],
        ['c', 2],
        ['d', 4],
      ],
    );
  });

  it('has the last answer of several, and all of a message that is none of JSON-RPC', async () => {
    const answer = (result: number): string => `{"jsonrpc":"2.0","id":1,"result":${result}}\n`;
    const text = await write('aio', [
      call('c'),
      said('c', 'out', '{"params":{"a":1}}'),
      said('c', 'in', answer(1) + answer(2), 3),
    ]);
    assert.ok(text.includes('"input":{"params":{"a":1}},"output":2,'), text);
  });
});

describe('a span of OpenTelemetry', () => {
  it('is named by what an agent of MCP is asked of its tools', async () => {
    const titles = ['LIST', 'INFO book', 'book', 'resources/read a'];
    const text = await write(
      'otlp',
      titles.map((title, nth) => call(`c${nth}`, { protocol: 'mcp', title })),
    );
    const names = ['name', 'gen_ai.operation.name', 'mcp.method.name', 'gen_ai.tool.name'];
    const { resourceSpans } = JSON.parse(text) as {
      resourceSpans: readonly {
        scopeSpans: readonly {
          spans: readonly {
            name: string;
            attributes: readonly { key: string; value: Readonly<Record<string, string>> }[];
          }[];
        }[];
      }[];
    };
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(scope => scope.spans));
    assert.deepEqual(
      spans.map(({ name, attributes }) => [
        name,
        ...attributes.filter(({ key }) => names.includes(key)).flatMap(({ value }) => Object.values(value)),
      ]),
      [
        ['tools/list', 'invoke_agent', 'tools/list'],
        ['tools/list', 'invoke_agent', 'tools/list'],
        ['tools/call book', 'execute_tool', 'book', 'tools/call'],
        ['resources/read a', 'invoke_agent', 'resources/read'],
      ],
    );
  });
});

describe('ids of OpenTelemetry', () => {
  it('are never all zeros', async () => {
    const text = await write('otlp', [call('0'.repeat(16), { trace: '0'.repeat(32) })]);
    const [, trace = '', span = ''] = /"traceId":"(\w+)","spanId":"(\w+)"/.exec(text) ?? [];
    assert.deepEqual([trace.length, span.length], [32, 16]);
    assert.match(trace, /[^0]/);
    assert.match(span, /[^0]/);
  });
});

describe('a text for a model', () => {
  it('moves deep calls in no further, and says how deep they are', async () => {
    const events = Array.from({ length: 13 }, (_, at) =>
      call(`c${at}`, { at, agent: `a${at}`, ...(at > 0 ? { parent: `c${at - 1}` } : {}) }),
    );
    const lines = (await write('markdown', events)).split('\n').filter(line => /^ *- \*\*/.test(line));
    assert.deepEqual(
      lines.slice(10).map(line => [line.search(/\S/), / \d+ calls deep/.exec(line)?.[0]]),
      [
        [20, undefined],
        [20, ' 11 calls deep'],
        [20, ' 12 calls deep'],
      ],
    );
  });

  it('has as many requests and replies as there is room for, and says how many are not there', async () => {
    const long = 'x'.repeat(2_000);
    const events = Array.from({ length: 40 }, (_, at) => [
      call(`c${at}`, { at }),
      said(`c${at}`, 'out', long, at),
      end(`c${at}`, at),
    ]).flat();
    const text = await write('markdown', events);
    const shown = text.split(long).length - 1;
    assert.equal(shown, 29);
    assert.ok(text.includes(`Requests and replies of ${40 - shown} more calls are left out`));
  });
});
