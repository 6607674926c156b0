import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { StoredTraces } from '../agents/store/stored-traces.ts';
import { TraceIndex } from '../agents/store/trace-index.ts';
import { TraceFold } from '../trace/fold/fold.ts';
import type { Benchmark, Row } from './benchmark.ts';
import { memoryHeld } from './support/held.ts';
import { writeTraceFile } from './support/trace-files.ts';

const LARGE = 2 ** 30;
/** The default limit of stored traces of earlier windows, and the number of files. */
const STORED_SIZE = 500e6;
const STORED_FILES = 8;
/** The number of characters in each of the three pieces of a reply: a gigabyte has about 100,000 calls. */
const PIECE = 3_000;

/**
 * The maximum duration in milliseconds of one turn of the event loop while traces load, because other work
 * waits. Most of it is spent on sorting calls.
 */
const LONGEST_TURN = 1_000;
/** The maximum share of a large file that may be retained, or be in memory while it is read. */
const MAX_HELD = 0.25;

/** Opens a trace file that does not fit in memory, and loads the stored traces of earlier windows. */
export const benchmark: Benchmark = {
  title: 'A trace file of 1 GB, and 500 MB of stored traces: to open them, and what is held of them',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
    try {
      return [...(await measureLarge(folder)), ...(await measureStored(folder))];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

const PARSED = 'readline, and JSON.parse of each line';

async function measureLarge(folder: string): Promise<readonly Row[]> {
  const path = join(folder, 'large.agenttrace.jsonl');
  const calls = await writeTraceFile(path, LARGE, { piece: PIECE, first: 0 });
  const { size } = await stat(path);
  const count = (): Promise<unknown> => promisify(execFile)('wc', ['-l', path]);
  // Reads the file once, so that it is in the operating system's cache for all measurements.
  await count();
  const speed = (medianMs: number): Pick<Row, 'medianMs' | 'runs' | 'note'> => ({
    medianMs,
    runs: 1,
    note: `${Math.round(size / 1e3 / medianMs)} MB/s`,
  });
  const counted = await timeOf(count);
  const parsed = await timeOf(async () => {
    for await (const line of createInterface({ input: createReadStream(path) })) JSON.parse(line);
  });
  const opened = await open(path, size, calls);
  return [
    { name: 'wc -l', kind: 'floor', ...speed(counted) },
    { name: PARSED, kind: 'peer', ...speed(parsed) },
    ...opened,
  ];
}

async function open(path: string, size: number, calls: number): Promise<readonly Row[]> {
  const before = memoryHeld();
  const index = new TraceIndex(path);
  const turns = monitorEventLoopDelay({ resolution: 5 });
  turns.enable();
  const base = process.memoryUsage().rss;
  let most = 0;
  const medianMs = await timeOf(async () => {
    await index.readOn(() => (most = Math.max(most, process.memoryUsage().rss)));
    index.fold.settle();
  });
  turns.disable();
  const longest = turns.max / 1e6;
  index.fold.takeChanges();
  const held = memoryHeld() - before;
  const trees = index.fold.trees();
  assert.equal(
    trees.reduce((sum, tree) => sum + tree.size, 0),
    calls,
  );
  const last = trees.at(-1)?.roots[0]?.call.call ?? '';
  let events = 0;
  const payloadMs = await timeOf(async () => (events = (await index.payload(last)).length));
  assert.equal(events, 6);
  const isTooMuch = Math.max(held, most - base) > MAX_HELD * size;
  const rate = `${Math.round(size / 1e3 / medianMs)} MB/s`;
  const memory = `holds ${inMb(held)}, ${inMb(most - base)} more in memory on the way`;
  return [
    {
      name: 'open 1 GB',
      kind: 'ours',
      medianMs,
      runs: 1,
      note: `${rate}; ${calls} calls; ${memory}; longest turn ${longest.toFixed(0)} ms`,
      against: [{ row: PARSED }],
      ...(isTooMuch ? { fault: `more than ${MAX_HELD} of the file in memory` } : {}),
    },
    {
      name: 'what was on the wire of its last call',
      kind: 'ours',
      medianMs: payloadMs,
      runs: 1,
      maxMs: 100,
    },
  ];
}

async function measureStored(folder: string): Promise<readonly Row[]> {
  const place = join(folder, 'stored');
  await mkdir(place);
  let calls = 0;
  for (let number = 0; number < STORED_FILES; number++) {
    const path = join(place, `2026-01-0${number + 1}T00-00-00.000Z-0.agenttrace.jsonl`);
    calls += await writeTraceFile(path, STORED_SIZE / STORED_FILES, { piece: PIECE, first: calls });
  }
  const limits = { traces: calls, bytes: 2 * STORED_SIZE, pinned: [] };
  const stored = new StoredTraces({ folder: place, producer: 'bench' }, () => limits);
  const before = memoryHeld();
  const fold = new TraceFold('counted');
  const turns = monitorEventLoopDelay({ resolution: 5 });
  turns.enable();
  const medianMs = await timeOf(() =>
    stored.load({ take: event => fold.add(event), isFull: () => false }).then(() => fold.settle()),
  );
  turns.disable();
  const longest = turns.max / 1e6;
  fold.takeChanges();
  assert.deepEqual([stored.notes, fold.trees().reduce((sum, { size }) => sum + size, 0)], [[], calls]);
  const held = `holds ${inMb(memoryHeld() - before)}`;
  return [
    {
      name: 'load 500 MB of stored traces',
      kind: 'ours',
      medianMs,
      runs: 1,
      note: `${calls} calls; ${held}; longest turn ${longest.toFixed(0)} ms`,
      ...(longest > LONGEST_TURN ? { fault: `a turn of more than ${LONGEST_TURN} ms` } : {}),
    },
  ];
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function inMb(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
