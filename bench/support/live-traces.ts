import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeptTraces } from '../../agents/store/kept-traces.ts';
import { stateOf } from '../../trace/fold/call-state.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import type { Row } from '../benchmark.ts';
import { percentile } from './times.ts';
import { listCallEvents } from './trace-calls.ts';

/** Events of a second, and for how many seconds they come. */
const RATE = 10_000;
const SECONDS = 5;

/** Milliseconds of a frame, and after how many frames views are told what changed. */
const FRAME = 1000 / 60;
const TOLD_EACH = 2;

/**
 * 10,000 events a second for five seconds, on time: kept on disk, folded, and what changed told to a view as a message. The
 * work of the thread for each frame of 1/60 second; nothing may be lost.
 */
export async function measureLive(): Promise<readonly Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const place = { folder, producer: 'bench' };
  const limits = { traces: 1_000_000, bytes: 2 ** 40, pinned: [] };
  try {
    const kept = new KeptTraces(place, () => limits);
    const { work, sent, told } = await tellInTime(kept);
    await kept.close();
    assert.deepEqual(kept.notes, []);
    assert.equal(told, sent);
    let read = 0;
    const again = new KeptTraces(place, () => limits);
    await again.load({ take: () => read++, isFull: () => false });
    assert.equal(read, RATE * SECONDS);
    return [
      {
        name: `${RATE} events a second live: work of a frame at p95`,
        kind: 'ours',
        medianMs: percentile(work, 0.95),
        runs: work.length,
        note: `at most ${Math.max(...work).toFixed(1)} ms; ${RATE * SECONDS} events kept, ${sent} calls told, none lost`,
        mostMs: 8,
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Told {
  /** Milliseconds of work for each frame. */
  readonly work: readonly number[];
  /** Calls that came, and those of which the view was told that they ended. */
  readonly sent: number;
  readonly told: number;
}

async function tellInTime(kept: KeptTraces): Promise<Told> {
  const fold = new TraceFold();
  const events = [...listCallEvents((RATE * SECONDS) / 8)];
  const ended = new Set<string>();
  const work: number[] = [];
  const begin = performance.now();
  let next = 0;
  const tell = (): void => {
    fold.settle();
    const states = [...fold.takeChanges()].map(stateOf);
    for (const { id, status } of structuredClone(states)) if (status === 'ok') ended.add(id);
  };
  for (let frame = 1; next < events.length; frame++) {
    await new Promise(resolve => setTimeout(resolve, begin + frame * FRAME - performance.now()));
    const start = performance.now();
    const due = Math.min(events.length, Math.round((frame * FRAME * RATE) / 1000));
    for (const event of events.slice(next, due)) {
      kept.write(event);
      fold.add(event);
    }
    next = due;
    if (frame % TOLD_EACH === 0 || next === events.length) tell();
    work.push(performance.now() - start);
  }
  return { work, sent: events.length / 8, told: ended.size };
}
