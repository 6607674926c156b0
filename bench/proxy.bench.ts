import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startHttpProxy } from '../agents/proxy/http/http-proxy.ts';
import { RecorderThread } from '../agents/proxy/thread/recorder-thread.ts';
import { now } from '../agents/runtime.ts';
import { StoredTraces } from '../agents/store/stored-traces.ts';
import { findMedian, type Benchmark, type Row } from './benchmark.ts';
import { findLongestTurn } from './support/longest-turn.ts';

const RUNS = 3;
const LARGE = 100 * 2 ** 20;
const MEDIUM = 64 * 2 ** 10;
/** The minimum size in bytes of a call in a trace file. */
const LEAST = 500;
/** The time in milliseconds without growth after which a recording is considered complete. */
const QUIET = 1500;

/**
 * The number of processors for caller, proxy, agent and the recording thread. With fewer, the ratio would
 * measure them instead of the proxy.
 */
const WORKERS = 4;

/** The traffic: the number of replies, and how many of them in parallel. */
interface Shape {
  readonly name: string;
  readonly path: string;
  readonly times: number;
  readonly atOnce: number;
}

const SHAPES: readonly Shape[] = [
  { name: 'one reply of 100 MB', path: `/body?bytes=${LARGE}`, times: 1, atOnce: 1 },
  { name: 'a stream of events of 100 MB', path: `/events?bytes=${LARGE}`, times: 1, atOnce: 1 },
  { name: '1,000 replies of 64 kB, 4 at once', path: `/body?bytes=${MEDIUM}`, times: 1_000, atOnce: 4 },
];

/** Events at 20 MB a second. */
const SLOW: Shape = { name: 'slow events', path: `/events?bytes=${LARGE}&speed=20000`, times: 1, atOnce: 1 };

/** The longest time in milliseconds for which the extension host may not answer VS Code. */
const LONGEST_TURN = 50;

const SMALL: Shape = { name: 'a small reply', path: '/rpc', times: 1_000, atOnce: 1 };

const DIRECT = 'direct';
const PLAIN = "a plain proxy with Node's http";
const JOINED = 'two joined connections';
const OURS = 'the recording proxy';

/** Measures the overhead and the throughput of the recording proxy; agent, caller and proxy are separate processes. */
export const benchmark: Benchmark = {
  title: `The recording proxy beside a plain one, on ${availableParallelism()} processors for caller, proxy, agent and recorder`,
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'proxy-bench-'));
    const agent = await start([programAt('agent-server.ts')]);
    const ways = new Map([
      [DIRECT, agent],
      [PLAIN, await start([programAt('proxy-server.ts'), 'http', agent.port])],
      [JOINED, await start([programAt('proxy-server.ts'), 'tcp', agent.port])],
    ]);
    try {
      const rows: Row[] = [];
      for (const shape of SHAPES) rows.push(...(await measureThroughput(ways, agent.port, shape, folder)));
      rows.push(...(await measureAdded(ways, agent.port, folder)));
      rows.push(await measureTurns(agent.port, folder));
      return rows;
    } finally {
      for (const { child } of ways.values()) child.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

type Ways = ReadonlyMap<string, Program>;

async function measureThroughput(
  ways: Ways,
  port: string,
  shape: Shape,
  folder: string,
): Promise<readonly Row[]> {
  const times = new Map<string, number[]>();
  let note = '';
  // The ways take turns, so that other load on the machine affects all of them equally.
  for (let run = 0; run < RUNS; run++) {
    for (const [way, program] of ways) keep(times, way, (await call(program.port, shape)).all);
    const recorded = await record(port, shape, folder);
    keep(times, OURS, recorded.all);
    note = `${Math.round(recorded.bytes / 2 ** 20)} MB recorded, all of it ${Math.round(recorded.behind)} ms after the last byte`;
  }
  return [...times].map(([way, own]): Row => {
    const name = `${shape.name}, ${way}`;
    const row = { name, medianMs: findMedian(own), runs: RUNS };
    if (way !== OURS) return { ...row, kind: way === DIRECT ? 'floor' : 'peer' };
    const atLeast = availableParallelism() >= WORKERS ? 0.6 : 0;
    const against = [
      { row: `${shape.name}, ${DIRECT}`, atLeast },
      { row: `${shape.name}, ${PLAIN}` },
      { row: `${shape.name}, ${JOINED}` },
    ];
    return { ...row, kind: 'ours', note, against };
  });
}

async function measureAdded(ways: Ways, port: string, folder: string): Promise<readonly Row[]> {
  const times = new Map<string, number[]>();
  for (let run = 0; run < RUNS; run++) {
    for (const [way, program] of ways) keep(times, way, findMedian((await call(program.port, SMALL)).each));
    keep(times, OURS, findMedian((await record(port, SMALL, folder)).each));
  }
  const base = findMedian(times.get(DIRECT) ?? []);
  return [...times].map(([way, own]): Row => {
    if (way === DIRECT) return { name: `${SMALL.name}, ${way}`, kind: 'floor', medianMs: base, runs: RUNS };
    const row = {
      name: `${SMALL.name}, added by ${way}`,
      medianMs: Math.max(0, findMedian(own) - base),
      runs: RUNS,
    };
    return way === OURS ? { ...row, kind: 'ours', maxMs: 1 } : { ...row, kind: 'peer' };
  });
}

/** Records 100 MB of events in this process, as a window does, and measures its longest turn. */
async function measureTurns(port: string, folder: string): Promise<Row> {
  const limits = { traces: 50, bytes: LARGE * 4, pinned: [] };
  const traces = new StoredTraces(
    { folder, producer: 'benchmark' },
    () => limits,
    () => 0,
  );
  const started = await RecorderThread.start({ to: 'starter' }, now, { capacity: traces });
  if (!started.ok) throw new Error(started.message);
  const facts = { agent: 'agent', secrets: ['sk-proj-1234567890abcdef'], secretHeaders: [] };
  const recorder = started.thread.open(facts, event => traces.write(event));
  const listening = await startHttpProxy({ url: new URL(`http://127.0.0.1:${port}`) }, 0, recorder);
  if (!listening.ok) throw new Error(listening.message);
  const own = new URL(listening.proxy.address).port;
  const turns: number[] = [];
  // The first run also compiles the code.
  for (let run = 0; run <= RUNS; run++) {
    const turn = await findLongestTurn(() => call(own, SLOW));
    if (run > 0) turns.push(turn);
  }
  await listening.proxy.close();
  await started.thread.close();
  await traces.close();
  const name = 'the longest turn of a window while 20 MB a second pass';
  return { name, kind: 'ours', medianMs: findMedian(turns), runs: RUNS, maxMs: LONGEST_TURN };
}

function keep(times: Map<string, number[]>, way: string, took: number): void {
  times.set(way, [...(times.get(way) ?? []), took]);
}

interface Program {
  readonly child: ChildProcess;
  readonly port: string;
}

function programAt(name: string): string {
  return fileURLToPath(new URL(`./support/${name}`, import.meta.url));
}

/** Starts a program that prints its port, or the URLs of its recordings. */
async function start(args: readonly string[]): Promise<Program> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => reject(new Error(`${args.join(' ')} ended before it said its port`)));
    child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()));
  });
  return { child, port: /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1] ?? said };
}

/** The measurements of a caller in a separate process, in milliseconds. */
interface Calls {
  readonly all: number;
  readonly each: readonly number[];
}

async function call(port: string, { path, times, atOnce }: Shape): Promise<Calls> {
  const address = `http://127.0.0.1:${port}${path}`;
  const child = spawn(process.execPath, [programAt('http-caller.ts'), address, `${times}`, `${atOnce}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await new Promise(resolve => child.once('close', resolve));
  const [all = Number.NaN, ...each] = said.split('\n').map(Number);
  return { all, each };
}

/**
 * Calls through `parley record` into a file. Returns the recorded size, and the time from the last reply
 * until the recording was complete.
 */
async function record(
  port: string,
  shape: Shape,
  folder: string,
): Promise<Calls & { readonly bytes: number; readonly behind: number }> {
  const out = join(folder, 'recording.agenttrace.jsonl');
  const command = ['record', '--listen', '0', '--to', `http://127.0.0.1:${port}`, '--out', out];
  const { child, port: own } = await start([
    fileURLToPath(new URL('../cli/src/main.ts', import.meta.url)),
    ...command,
  ]);
  // A warm-up call, because the other ways have already run the same traffic.
  await call(own, shape);
  const before = await findSettledSize(out);
  const calls = await call(own, shape);
  const ended = performance.now();
  child.kill('SIGINT');
  await new Promise(resolve => child.once('close', resolve));
  const behind = performance.now() - ended;
  const size = (await stat(out)).size - before;
  if (size < calls.each.length * LEAST) throw new Error('The recording of the benchmark missed calls');
  await rm(out);
  return { ...calls, bytes: size, behind };
}

/** The size of a recording after it has stopped growing. */
async function findSettledSize(path: string): Promise<number> {
  for (let before = -1; ;) {
    const { size } = await stat(path);
    if (size === before) return size;
    before = size;
    await setTimeout(QUIET);
  }
}
