import assert from 'node:assert/strict';
import type { TraceEvent } from '../core/events/events.ts';
import { TraceFold } from '../trace/fold/fold.ts';
import { readTraceEvent } from '../trace/guards.ts';
import { type PayloadPlace, withoutPayload } from '../core/events/payload.ts';
import { medianOf, type Benchmark, type Row } from './benchmark.ts';
import { heldBy } from './support/held.ts';
import { measureLive } from './support/live-traces.ts';
import { recordSpans } from './support/spans.ts';
import { EVENTS_OF_CALL, listCallEvents, listCallLines } from './support/trace-calls.ts';

const CALLS = 100_000;
const RUNS = 3;

/** The maximum memory of a finished call in bytes, in addition to its payload. */
const MAX_HELD = 1024;

/** Measures the cost of a call: to fold it, to retain it, and to process it live. */
export const benchmark: Benchmark = {
  title: `${CALLS} finished calls of ${EVENTS_OF_CALL} events each: folded, and held in memory`,
  async measure() {
    return [...(await measureFold()), ...measureHeld(), ...(await measureLive())];
  },
};

const PARSED = 'JSON.parse of each line';
const SPANS = 'OpenTelemetry’s in-memory exporter, as spans';

async function measureFold(): Promise<readonly Row[]> {
  const events = [...listCallEvents(CALLS)];
  const lines = [...listCallLines(CALLS)];
  const time = (name: string, kind: Row['kind'], work: () => unknown): Promise<Row> =>
    medianOf(RUNS, work).then(medianMs => ({ name, kind, medianMs, runs: RUNS }));
  const fold = await time('fold events', 'ours', () => foldAll(events, 'counted'));
  const read = await time('read lines and fold them', 'ours', () => foldAll(readLines(lines), 'counted'));
  return [
    await time(PARSED, 'floor', () => lines.forEach(line => JSON.parse(line) as unknown)),
    await time(SPANS, 'peer', () => assert.equal(recordSpans(events).count, CALLS)),
    { ...fold, against: [{ row: SPANS, atLeast: 1 }] },
    { ...read, against: [{ row: PARSED }] },
  ];
}

function measureHeld(): readonly Row[] {
  const row = (name: string, kind: Row['kind'], make: () => unknown, beyond = 0): Row => {
    const start = performance.now();
    const { bytes } = heldBy(make);
    const each = Math.round(bytes / CALLS) - beyond;
    const fault = kind === 'ours' && each > MAX_HELD ? `more than ${MAX_HELD} bytes a call` : undefined;
    return {
      name,
      kind,
      medianMs: performance.now() - start,
      runs: 1,
      note: `${each} bytes a call${beyond > 0 ? ' beyond its payload' : ''}`,
      ...(fault === undefined ? {} : { fault }),
    };
  };
  const payloads = heldBy(() => listPayloads(readLines(listCallLines(CALLS))));
  const payload = Math.round(payloads.bytes / CALLS);
  const lines = (): Iterable<TraceEvent> => readLines(listCallLines(CALLS));
  return [
    row('held by OpenTelemetry’s exporter', 'peer', () => recordSpans(lines())),
    row('held, payload in a file', 'ours', () => foldAll(lines(), 'counted')),
    row('held, payload in memory', 'ours', () => foldAll(lines(), 'held'), payload),
  ];
}

function foldAll(events: Iterable<TraceEvent>, payloads: PayloadPlace): TraceFold {
  const fold = new TraceFold(payloads);
  for (const event of events) fold.add(payloads === 'held' ? event : withoutPayload(event));
  assert.equal(
    fold.trees().reduce((sum, tree) => sum + tree.size, 0),
    CALLS,
  );
  fold.takeChanges();
  return fold;
}

function* readLines(lines: Iterable<string>): Generator<TraceEvent, void> {
  for (const line of lines) {
    const event = readTraceEvent(JSON.parse(line));
    assert.ok(event);
    yield event;
  }
}

/** Only heads and bytes, in lists without spare capacity. */
function listPayloads(events: Iterable<TraceEvent>): readonly (readonly TraceEvent[])[] {
  const payloads = new Map<string, TraceEvent[]>();
  for (const event of events) {
    if (event.type === 'call') payloads.set(event.call, []);
    if (event.type === 'head' || event.type === 'wire') payloads.get(event.call)?.push(event);
  }
  return [...payloads.values()].map(list => list.slice());
}
