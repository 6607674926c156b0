import type { ResolvedHttpAgent } from '../agents/config/resolve-agent.ts';
import type { Connection } from '../agents/connection.ts';
import type { LanguageId } from '../core/catalog/languages.ts';
import { findMedian, type Benchmark, type Row } from './benchmark.ts';
import { call, connectTo, startServer } from './support/agent-calls.ts';
import { describeSlow } from './support/times.ts';

const CALLS = 2_000;
/** The number of warm-up calls, whose times depend on code that is not compiled yet. */
const WARM_UP = 200;
const LARGE = 100 * 2 ** 20;
const RUNS = 3;
/** The number of received bytes between two measurements of memory. */
const LOOK_AFTER = 2 ** 20;
const IN_FLIGHT = 1_000;
const REQUEST = 'CALL|math.add|1|2';

/** The overhead of our client over a bare `fetch` of the same exchange: events, redaction, conversion. */
export const benchmark: Benchmark = {
  title: 'Calls to an agent on this machine, beside a bare fetch of the same exchange',
  async measure() {
    const server = await startServer();
    try {
      return [
        ...(await measureCalls(server.origin)),
        ...(await measureLarge(server.origin, LINES)),
        ...(await measureLarge(server.origin, MESSAGES)),
        ...(await measureLarge(server.origin, EVENTS)),
        ...(await measureLarge(server.origin, A2A)),
        ...(await measureLarge(server.origin, PROGRESS)),
        ...(await measureMany(server.origin)),
      ];
    } finally {
      server.stop();
    }
  },
};

/** A kind of call, and the same exchange as a bare fetch. */
interface Way {
  readonly name: string;
  readonly path: string;
  readonly protocol: ResolvedHttpAgent['protocol'];
  readonly language: LanguageId;
  readonly request: string;
  /** The body that is sent over the wire for each call. */
  readonly wire: string;
}

const AICL_TASK =
  '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_request],[s:task]:[s:read],[s:constraints]:[d:]]';

const WAYS: readonly Way[] = [
  {
    name: 'AICF',
    path: 'small',
    protocol: 'aicf',
    language: 'aicf',
    request: REQUEST,
    wire: REQUEST,
  },
  {
    name: 'AICL',
    path: 'aicl',
    protocol: 'aicl',
    language: 'aicl',
    request: AICL_TASK,
    wire: AICL_TASK,
  },
  {
    name: 'JSON-RPC asked in AICF',
    path: 'rpc',
    protocol: 'json-rpc',
    language: 'aicf',
    request: 'INFO|math.add',
    wire: '{"jsonrpc":"2.0","id":1,"method":"aip.tool.invoke","params":{"tool":"math.add","arguments":{"a":"1"}}}',
  },
  {
    name: 'MCP over Streamable HTTP asked in AICF',
    path: 'mcp',
    protocol: 'mcp',
    language: 'aicf',
    request: REQUEST,
    wire: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.add","arguments":{"a":1,"b":2}}}',
  },
  {
    name: 'A2A asked in AICL',
    path: 'a2a',
    protocol: 'a2a',
    language: 'aicl',
    request: AICL_TASK,
    wire: '{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"read"}]}}}',
  },
];

/** Measures sequential calls: the overhead of each over a bare fetch of the same exchange. */
async function measureCalls(origin: string): Promise<readonly Row[]> {
  const open: Connection[] = [];
  const ways = WAYS.flatMap(({ name, path, protocol, language, request, wire }) => {
    const url = `${origin}/${path}`;
    const bare = `fetch of ${name}`;
    const connection = connectTo(protocol, url, language);
    open.push(connection);
    return [
      { name: bare, bare: '', call: () => fetchText(url, wire) },
      { name: `${name}, traced`, bare, call: caller(connection, request) },
    ];
  });
  const times = new Map<string, number[]>(ways.map(({ name }) => [name, []]));
  // The ways take turns, so that other load on the machine affects all of them equally.
  for (let round = -WARM_UP; round < CALLS; round++)
    for (const { name, call } of ways) {
      const start = performance.now();
      await call();
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  await Promise.all(open.map(connection => connection.close()));
  return ways.map(({ name, bare }): Row => {
    const own = times.get(name) ?? [];
    const base = findMedian(times.get(bare) ?? []);
    if (bare === '')
      return { name, kind: 'floor', medianMs: findMedian(own), runs: own.length, note: describeSlow(own) };
    return {
      name: `${name}: added to ${bare}`,
      kind: 'ours',
      medianMs: Math.max(0, findMedian(own) - base),
      runs: own.length,
      note: describeSlow(own),
      maxMs: 1,
    };
  });
}

/** A kind of stream: its agent and the request. */
interface Stream {
  readonly name: string;
  readonly path: string;
  readonly protocol: ResolvedHttpAgent['protocol'];
  readonly language: LanguageId;
  readonly request: string;
  /** The body that is sent over the wire. */
  readonly wire: string;
}

const LINES: Stream = {
  name: 'AICF',
  path: 'large',
  protocol: 'aicf',
  language: 'aicf',
  request: 'CALL|read',
  wire: 'CALL|read',
};

const MESSAGES: Stream = {
  name: 'AICL',
  path: 'aicl/large',
  protocol: 'aicl',
  language: 'aicl',
  request: AICL_TASK,
  wire: AICL_TASK,
};

const EVENTS: Stream = {
  name: 'Agent API asked in AICL',
  path: 'events',
  protocol: 'agent-api',
  language: 'aicl',
  request: AICL_TASK,
  wire: '{"input":[{"role":"user","content":[{"type":"text","text":"read"}]}],"stream":true}',
};

const A2A: Stream = {
  name: 'A2A asked in AICL',
  path: 'a2a/large',
  protocol: 'a2a',
  language: 'aicl',
  request: AICL_TASK,
  wire: '{"jsonrpc":"2.0","id":1,"method":"message/stream"}',
};

const PROGRESS: Stream = {
  name: 'MCP asked in AICF',
  path: 'mcp/large',
  protocol: 'mcp',
  language: 'aicf',
  request: REQUEST,
  wire: '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
};

async function measureLarge(origin: string, stream: Stream): Promise<readonly Row[]> {
  const url = `${origin}/${stream.path}?bytes=${LARGE}`;
  const bare: number[] = [];
  const ours: number[] = [];
  let most = 0;
  let unseen = 0;
  for (let run = 0; run < RUNS; run++) {
    bare.push(await timeOf(() => fetchText(url, stream.wire)));
    const connection = connectTo(stream.protocol, url, stream.language);
    ours.push(
      await timeOf(() =>
        call(connection, stream.request, size => {
          // Measuring memory at each piece would take longer than some of the work.
          if ((unseen += size) < LOOK_AFTER) return;
          unseen = 0;
          most = Math.max(most, process.memoryUsage.rss());
        }),
      ),
    );
    await connection.close();
  }
  const name = `A reply of 100 MB from ${stream.name}: fetch`;
  return [
    { name, kind: 'peer', medianMs: findMedian(bare), runs: RUNS },
    {
      name: `A reply of 100 MB from ${stream.name}: traced`,
      kind: 'ours',
      medianMs: findMedian(ours),
      runs: RUNS,
      note: `at most ${Math.round(most / 2 ** 20)} MB of memory`,
      against: [{ row: name, atLeast: 1 / 3 }],
    },
  ];
}

async function measureMany(origin: string): Promise<readonly Row[]> {
  const url = `${origin}/slow`;
  const connection = connectTo('aicf', url);
  const all = (work: () => Promise<unknown>): Promise<number> =>
    timeOf(() => Promise.all(Array.from({ length: IN_FLIGHT }, work)));
  const bare: number[] = [];
  const ours: number[] = [];
  for (let round = -1; round < RUNS; round++) {
    const times = [await all(() => fetchText(url, REQUEST)), await all(caller(connection, REQUEST))] as const;
    // The first round warms up, because its first call also pays for the second one.
    if (round < 0) continue;
    bare.push(times[0]);
    ours.push(times[1]);
  }
  await connection.close();
  const name = `${IN_FLIGHT} requests in flight: fetch`;
  return [
    { name, kind: 'peer', medianMs: findMedian(bare), runs: RUNS },
    {
      name: `${IN_FLIGHT} requests in flight: AICF, traced`,
      kind: 'ours',
      medianMs: findMedian(ours),
      runs: RUNS,
      against: [{ row: name }],
    },
  ];
}

function caller(connection: Connection, text: string): () => Promise<unknown> {
  return () => call(connection, text, () => undefined);
}

/** The complete body as text, which every client that shows it needs. */
async function fetchText(url: string, body: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body });
  return response.text();
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
