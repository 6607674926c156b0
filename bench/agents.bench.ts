import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { askIn } from '../agents/src/asked/asked-connection.ts';
import type { ResolvedHttpAgent } from '../agents/src/config/resolve-agent.ts';
import { connectAgent } from '../agents/src/connect.ts';
import type { Connection, WireListener } from '../agents/src/connection.ts';
import { KnownTools } from '../agents/src/offer/known-tools.ts';
import { now, RANDOM_IDS } from '../agents/src/runtime.ts';
import { trackConnection } from '../agents/src/tracked.ts';
import type { LanguageId } from '../protocol/src/catalog/languages.ts';
import { Redactor } from '../protocol/src/trace/redact.ts';
import { findMedian, type Benchmark, type Row } from './benchmark.ts';
import { describeSlow } from './support/times.ts';

const SERVER = fileURLToPath(new URL('./support/agent-server.ts', import.meta.url));
const CALLS = 400;
const LARGE = 100 * 2 ** 20;
const RUNS = 3;
const IN_FLIGHT = 1_000;
const REQUEST = 'CALL|math.add|1|2';

/** What our client adds to a bare `fetch` of the same exchange: events, redaction, conversion. */
export const benchmark: Benchmark = {
  title: 'Calls to an agent on this machine, beside a bare fetch of the same exchange',
  async measure() {
    const server = await startServer();
    try {
      return [
        ...(await measureCalls(server.origin)),
        ...(await measureLarge(server.origin, LINES)),
        ...(await measureLarge(server.origin, EVENTS)),
        ...(await measureMany(server.origin)),
      ];
    } finally {
      server.stop();
    }
  },
};

/** One call after the other: what each takes beyond a bare fetch. */
async function measureCalls(origin: string): Promise<readonly Row[]> {
  const rpc = `{"jsonrpc":"2.0","id":1,"method":"aip.tool.invoke","params":{"tool":"math.add","arguments":{"a":"1"}}}`;
  const ways: readonly {
    readonly name: string;
    readonly call: () => Promise<unknown>;
    readonly bare: string;
  }[] = [
    { name: 'fetch', bare: '', call: () => fetchText(`${origin}/small`, REQUEST) },
    { name: 'AICF, traced', bare: 'fetch', call: caller(connectTo('aicf', `${origin}/small`), REQUEST) },
    { name: 'fetch of JSON-RPC', bare: '', call: () => fetchText(`${origin}/rpc`, rpc) },
    {
      name: 'JSON-RPC asked in AICF, traced',
      bare: 'fetch of JSON-RPC',
      call: caller(connectTo('json-rpc', `${origin}/rpc`), 'INFO|math.add'),
    },
  ];
  const times = new Map<string, number[]>(ways.map(({ name }) => [name, []]));
  // Turn by turn, so that whatever else the machine does meets all of them.
  for (let round = -20; round < CALLS; round++)
    for (const { name, call } of ways) {
      const start = performance.now();
      await call();
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
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
      mostMs: 1,
    };
  });
}

/** A kind of stream: how its agent is asked, and what the request is. */
interface Stream {
  readonly name: string;
  readonly path: string;
  readonly protocol: ResolvedHttpAgent['protocol'];
  readonly language: LanguageId;
  readonly request: string;
}

const LINES: Stream = {
  name: 'AICF',
  path: 'large',
  protocol: 'aicf',
  language: 'aicf',
  request: 'CALL|read',
};

const EVENTS: Stream = {
  name: 'Agent API asked in AICL',
  path: 'events',
  protocol: 'agent-api',
  language: 'aicl',
  request:
    '[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:s],[s:msg_type]:[s:task_request],[s:task]:[s:read],[s:constraints]:[d:]]',
};

async function measureLarge(origin: string, stream: Stream): Promise<readonly Row[]> {
  const url = `${origin}/${stream.path}?bytes=${LARGE}`;
  const bare: number[] = [];
  const ours: number[] = [];
  let most = 0;
  for (let run = 0; run < RUNS; run++) {
    bare.push(await timeOf(() => drain(url)));
    const connection = connectTo(stream.protocol, url, stream.language);
    ours.push(
      await timeOf(() =>
        call(connection, stream.request, () => (most = Math.max(most, process.memoryUsage().rss))),
      ),
    );
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
  const all = (work: () => Promise<unknown>): Promise<number> =>
    timeOf(() => Promise.all(Array.from({ length: IN_FLIGHT }, work)));
  const connection = connectTo('aicf', url);
  await all(() => fetchText(url, REQUEST));
  const name = `${IN_FLIGHT} requests in flight: fetch`;
  return [
    { name, kind: 'peer', medianMs: await all(() => fetchText(url, REQUEST)), runs: 1 },
    {
      name: `${IN_FLIGHT} requests in flight: AICF, traced`,
      kind: 'ours',
      medianMs: await all(caller(connection, REQUEST)),
      runs: 1,
      against: [{ row: name }],
    },
  ];
}

/** A connection as the extension has it, with the events thrown away. */
function connectTo(
  protocol: ResolvedHttpAgent['protocol'],
  url: string,
  language: LanguageId = 'aicf',
): Connection {
  const agent: ResolvedHttpAgent = {
    type: 'http',
    name: 'bench',
    protocol,
    url: new URL(url),
    headers: new Map([['authorization', 'Bearer a-secret-of-the-bench']]),
    tls: {},
    quirks: 'off',
    secrets: ['a-secret-of-the-bench'],
    secretHeaders: ['authorization'],
  };
  const asked = askIn(connectAgent(agent), { language, tools: new KnownTools(), doubtful: 'send' });
  return trackConnection(asked, {
    emit: () => undefined,
    now,
    ids: RANDOM_IDS,
    redactor: new Redactor(agent.secrets, agent.secretHeaders),
  });
}

function caller(connection: Connection, text: string): () => Promise<unknown> {
  return () => call(connection, text, () => undefined);
}

async function call(connection: Connection, wireText: string, heard: () => void): Promise<void> {
  const listener: WireListener = {
    head: () => undefined,
    bytes: heard,
    note: () => undefined,
    progress: () => undefined,
  };
  const reply = await connection.send({ wireText }, listener, new AbortController().signal);
  if (reply.status !== 'ok')
    throw new Error(`The agent of the benchmark failed: ${reply.message ?? reply.status}`);
}

async function fetchText(url: string, body: string): Promise<string> {
  const response = await fetch(url, { method: 'POST', body });
  return response.text();
}

/** The whole body as text, as anyone who shows it has to have it. */
async function drain(url: string): Promise<number> {
  return (await fetchText(url, 'CALL|read')).length;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function startServer(): Promise<{ readonly origin: string; stop(): void }> {
  const child = spawn(process.execPath, [SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
  });
  return { origin: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}
