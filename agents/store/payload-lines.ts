import type { FileHandle } from 'node:fs/promises';
import { parseJson } from '../../core/text/json.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { readTraceEvent } from '../../trace/guards.ts';
import { compareDetails } from '../../core/events/in-order.ts';
import { storedLength, type PayloadPiece } from '../../core/events/payload.ts';
import type { PayloadLimiter } from '../../trace/payload-limiter.ts';
import type { LinePlace, LinePlaces } from './line-places.ts';
import { readAt } from './read-at.ts';
import { readUnpacked, unpackAll } from './unpacked-payload.ts';

/**
 * The maximum number of bytes of a line that is read. An event has at most 1 MiB of the wire, which is longer
 * as JSON, and many times as long if it consists of redacted secrets.
 */
export const LONGEST_LINE = 2 ** 25;

/** The number of calls that are sorted by their places in the file at a time. */
const WINDOW = 5_000;

/** Calls are read together if their payloads have at most this many bytes together; a longer one is read in pieces. */
const BATCH = 2 ** 23;

/** The maximum number of bytes that are read at once, and of bytes between two lines of them. */
const SPAN = 2 ** 17;
const GAP = 2 ** 14;

type PayloadEvent = HeadEvent | WireEvent;

/** The event on a line of a trace file; undefined if the line is not one. */
export function readEvent(line: Buffer): TraceEvent | undefined {
  return readTraceEvent(parseJson(line.toString()));
}

/** The payload of a call, in order, as far as `limiter` allows. Holds no more than that and a line in memory. */
export async function readPayload(
  file: FileHandle,
  places: LinePlaces,
  call: string,
  limiter?: PayloadLimiter,
): Promise<readonly PayloadEvent[]> {
  const found = await readUnpacked(readLines(file, places.of(call), call), limiter);
  return found.toSorted(compareDetails);
}

/**
 * The payloads of calls, in the order of the file and in one pass through it. Calls without a payload are
 * included. Reading stops when no more is requested.
 */
export async function* readPayloads(
  file: FileHandle,
  places: LinePlaces,
  calls: readonly string[],
): AsyncGenerator<PayloadPiece, void> {
  for (let from = 0; from < calls.length; from += WINDOW) {
    const window = calls.slice(from, from + WINDOW).map(call => placeCall(call, places));
    let batch: PlacedCall[] = [];
    let size = 0;
    for (const placed of window.sort((one, other) => one.start - other.start)) {
      if (size + placed.size > BATCH) {
        yield* readBatch(file, batch);
        [batch, size] = [[], 0];
      }
      if (placed.size > BATCH) {
        yield* readLongCall(file, placed);
        continue;
      }
      batch.push(placed);
      size += placed.size;
    }
    yield* readBatch(file, batch);
  }
}

/** A call with the lines of its payload. */
interface PlacedCall {
  readonly call: string;
  readonly lines: readonly LinePlace[];
  readonly start: number;
  readonly size: number;
}

function placeCall(call: string, places: LinePlaces): PlacedCall {
  const lines = [...places.of(call)];
  const size = lines.reduce((sum, { length }) => sum + length, 0);
  return { call, lines, start: lines[0]?.start ?? 0, size };
}

/** Reads a call in the order of the file: it is too long to be sorted. */
async function* readLongCall(
  file: FileHandle,
  { call, lines }: PlacedCall,
): AsyncGenerator<PayloadPiece, void> {
  for await (const event of unpackAll(readLines(file, lines, call)))
    yield { call, events: [event], isLast: false };
  yield { call, events: [], isLast: true };
}

async function* readBatch(
  file: FileHandle,
  batch: readonly PlacedCall[],
): AsyncGenerator<PayloadPiece, void> {
  const found = new Map<string, PayloadEvent[]>();
  for await (const line of readSpans(
    file,
    batch.flatMap(({ lines }) => lines),
  )) {
    const event = readEvent(line);
    if (event?.type !== 'head' && event?.type !== 'wire') continue;
    const events = found.get(event.call);
    if (events) events.push(event);
    else found.set(event.call, [event]);
  }
  for (const { call } of batch) {
    const seen = new Set<number>();
    const stored = (found.get(call) ?? []).filter(event => isNew(event, seen)).sort(compareDetails);
    let events: PayloadEvent[] = [];
    let size = 0;
    for await (const event of unpackAll(stored)) {
      events.push(event);
      size += event.type === 'wire' ? storedLength(event) : 0;
      if (size < BATCH) continue;
      yield { call, events, isLast: false };
      [events, size] = [[], 0];
    }
    yield { call, events, isLast: true };
  }
}

/** Lines of a file, in its order; lines near each other are read at once. */
async function* readSpans(file: FileHandle, lines: readonly LinePlace[]): AsyncGenerator<Buffer, void> {
  const ordered = [...lines].sort((one, other) => one.start - other.start);
  for (let first = 0; first < ordered.length;) {
    const start = ordered[first]?.start ?? 0;
    let end = start;
    let next = first;
    for (let line = ordered[next]; line; line = ordered[++next]) {
      const isNear = line.start - end <= GAP && line.start + line.length - start <= SPAN;
      if (next > first && !isNear) break;
      end = line.start + line.length;
    }
    const span = await readAt(file, start, end - start);
    for (const line of ordered.slice(first, next))
      yield span.subarray(line.start - start, line.start - start + line.length);
    first = next;
  }
}

/** The events of a call at these places, in their order. */
async function* readLines(
  file: FileHandle,
  places: Iterable<LinePlace>,
  call: string,
): AsyncGenerator<PayloadEvent, void> {
  const seen = new Set<number>();
  for (const { start, length } of places) {
    const event = readEvent(await readAt(file, start, length));
    if (event?.call !== call || (event.type !== 'head' && event.type !== 'wire')) continue;
    if (isNew(event, seen)) yield event;
  }
}

/** Of several events with the same number, only the first is new. */
function isNew({ seq }: PayloadEvent, seen: Set<number>): boolean {
  return seq === undefined || seen.size < seen.add(seq).size;
}
