import type { FileHandle } from 'node:fs/promises';
import { parseJson } from '../../core/text/json.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { readTraceEvent } from '../../trace/guards.ts';
import { compareDetails } from '../../core/events/in-order.ts';
import type { PayloadPiece } from '../../core/events/payload-pieces.ts';
import { fitPayload, type PayloadRoom } from '../../trace/payload-room.ts';
import type { LinePlace, LinePlaces } from './line-places.ts';
import { readAt } from './read-at.ts';

/**
 * The longest line that is read, in bytes. An event has at most 1 MiB of the wire, which is longer as JSON, and many times as
 * long where it consists of redacted secrets.
 */
export const LONGEST_LINE = 2 ** 25;

/** So many calls are put in the order in which they stand in the file at a time. */
const WINDOW = 5_000;

/** Calls whose payloads have so many bytes together are read together; one that has more is read piece by piece. */
const BATCH = 2 ** 23;

/** What is read at once, and how far apart its lines may stand, in bytes. */
const SPAN = 2 ** 17;
const GAP = 2 ** 14;

type PayloadEvent = HeadEvent | WireEvent;

/** An event of a trace file by its line; undefined where the line is none. */
export function readEvent(line: Buffer): TraceEvent | undefined {
  return readTraceEvent(parseJson(line.toString()));
}

/** What was on the wire of a call, in order, as far as there is room. Memory: no more than that, and a line. */
export async function readPayload(
  file: FileHandle,
  places: LinePlaces,
  call: string,
  room?: PayloadRoom,
): Promise<readonly PayloadEvent[]> {
  const found: PayloadEvent[] = [];
  for await (const event of readLines(file, places.of(call), call)) found.push(...fitPayload([event], room));
  return found.sort(compareDetails);
}

/**
 * What was on the wire of calls, those that stand first in the file first, in one pass through it. A call of which nothing is
 * there is told of all the same. Stops reading where nobody asks for more.
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

/** In the order of the file: it is too long to be put in another. */
async function* readLongCall(
  file: FileHandle,
  { call, lines }: PlacedCall,
): AsyncGenerator<PayloadPiece, void> {
  for await (const event of readLines(file, lines, call)) yield { call, events: [event], isLast: false };
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
    const events = (found.get(call) ?? []).filter(event => isNew(event, seen)).sort(compareDetails);
    yield { call, events, isLast: true };
  }
}

/** Lines of a file in its order; those that stand near each other are read at once. */
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

/** The events of a call at its lines, in the order of these. */
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

/** Of events with one number the first one counts. */
function isNew({ seq }: PayloadEvent, seen: Set<number>): boolean {
  return seq === undefined || seen.size < seen.add(seq).size;
}
