import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoredTraces } from '../../agents/store/stored-traces.ts';
import { stateOf } from '../../trace/fold/call-state.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import type { Row } from '../benchmark.ts';
import { percentile } from './times.ts';
import { listCallEvents } from './trace-calls.ts';

/** The number of events per second, and the duration in seconds. */
const RATE = 10_000;
const SECONDS = 5;

/** The duration of a frame in milliseconds, and the number of frames between updates of the view. */
const FRAME = 1000 / 60;
const TOLD_EACH = 2;

/**
 * Simulates 10,000 events per second for five seconds in real time: events are stored on disk and folded, and changes
 * are sent to a view as messages. Measures the thread's work for each frame of 1/60 second; nothing may be lost.
 */
export async function measureLive(): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const place = { folder, producer: 'bench' };
  const limits = { traces: 1_000_000, bytes: 2 ** 40, pinned: [] };
  try {
    const stored = new StoredTraces(place, () => limits);
    const { work, sent, reported } = await awaitReported(stored);
    await stored.close();
    assert.deepEqual(stored.notes, []);
    assert.equal(reported, sent);
    let read = 0;
    const again = new StoredTraces(place, () => limits);
    await again.load({ take: () => read++, isFull: () => false });
    assert.equal(read, RATE * SECONDS);
    return [
      {
        name: `${RATE} events a second live: work of a frame at p95`,
        kind: 'ours',
        medianMs: percentile(work, 0.95),
        runs: work.length,
        note: `at most ${Math.max(...work).toFixed(1)} ms; ${RATE * SECONDS} events stored, ${sent} calls shown, none lost`,
        maxMs: 8,
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface ReportedCalls {
  /** The milliseconds of work for each frame. */
  readonly work: readonly number[];
  /** The number of calls that were sent, and of those for which the view received the end. */
  readonly sent: number;
  readonly reported: number;
}

async function awaitReported(stored: StoredTraces): Promise<ReportedCalls> {
  const fold = new TraceFold();
  const events = [...listCallEvents((RATE * SECONDS) / 8)];
  const ended = new Set<string>();
  const work: number[] = [];
  const begin = performance.now();
  let next = 0;
  const report = (): void => {
    fold.settle();
    const states = [...fold.takeChanges()].map(stateOf);
    for (const { id, status } of structuredClone(states)) if (status === 'ok') ended.add(id);
  };
  for (let frame = 1; next < events.length; frame++) {
    await new Promise(resolve => setTimeout(resolve, begin + frame * FRAME - performance.now()));
    const start = performance.now();
    const due = Math.min(events.length, Math.round((frame * FRAME * RATE) / 1000));
    for (const event of events.slice(next, due)) {
      stored.write(event);
      fold.add(event);
    }
    next = due;
    if (frame % TOLD_EACH === 0 || next === events.length) report();
    work.push(performance.now() - start);
  }
  return { work, sent: events.length / 8, reported: ended.size };
}
