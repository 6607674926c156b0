import { utf8Length } from '../text/utf8.ts';
import type { StoredBytes, WireEvent, HeadEvent, TraceEvent } from './events.ts';
import { trimEndOf } from '../text/trim.ts';
import { REDACTED } from '../secrets/redact-stream.ts';
import { readServerTime } from './server-timing.ts';

/** The content of an event: decompressed if it was compressed, else the bytes themselves. */
export function payloadOf({ bytes, unpacked }: WireEvent): StoredBytes {
  return unpacked ?? bytes;
}

/** The payload of a call as a trace file stores it: without the content that reading adds to compressed bytes. */
export function toStored(payload: readonly (HeadEvent | WireEvent)[]): readonly (HeadEvent | WireEvent)[] {
  let before: number | undefined;
  return payload.flatMap((event): readonly (HeadEvent | WireEvent)[] => {
    const isContinued = event.seq !== undefined && event.seq === before;
    before = event.seq;
    if (isContinued) return [];
    if (event.type === 'head') return [event];
    const { unpacked, ...stored } = event;
    const isAdded = unpacked !== undefined && !event.redacted && charactersIn(event.bytes) > 0;
    return [isAdded ? stored : event];
  });
}

/** The name of a body within a call: that of its direction and, where a call has several at a time, its exchange. */
export function bodyKey(direction: WireEvent['direction'], exchange: WireEvent['exchange']): string {
  return exchange === undefined ? direction : `${direction} ${exchange}`;
}

/** The number of stored characters in the payload of an event. */
export function storedLength({ bytes, unpacked }: WireEvent): number {
  return charactersIn(bytes) + (unpacked ? charactersIn(unpacked) : 0);
}

/** The number of stored bytes. A host with a faster way to count UTF-8 bytes passes `lengthOfText`. */
export function storedSize(stored: StoredBytes, lengthOfText: (text: string) => number = utf8Length): number {
  if ('text' in stored) return lengthOfText(stored.text);
  return Math.floor((trimEndOf(stored.base64, '=').length * 3) / 4);
}

function charactersIn(stored: StoredBytes): number {
  return 'text' in stored ? stored.text.length : stored.base64.length;
}

/** A part of the payload of a call, in order. A long payload is delivered in several pieces. */
export interface PayloadPiece {
  readonly call: string;
  readonly events: readonly (HeadEvent | WireEvent)[];
  /** True for the last piece of the call. */
  readonly isLast: boolean;
}

/** Reads the payloads of several calls, one after the other, each as one piece. */
export async function* readEach(
  calls: readonly string[],
  payload: (call: string) => Promise<readonly (HeadEvent | WireEvent)[]>,
): AsyncGenerator<PayloadPiece, void> {
  for (const call of calls) yield { call, events: await payload(call), isLast: true };
}

/**
 * Replaces a head or bytes that are stored elsewhere, such as in a
 * file: records only that they exist, when they arrived and their size.
 */
export interface MarkEvent {
  readonly type: 'mark';
  readonly of: 'head' | 'wire';
  readonly call: string;
  readonly at: number;
  readonly seq?: number;
  readonly direction: WireEvent['direction'];
  /** The number of bytes on the wire; 0 for a head. */
  readonly size: number;
  /** The number of chunks in which the bytes arrived, if it is not 1. */
  readonly count?: number;
  /** The processing time in milliseconds that the server reports in the head of its reply. */
  readonly serverTime?: number;
}

/** Where the payloads of calls are: `held` in the nodes of the tree, or only `counted` there and stored elsewhere. */
export type PayloadPlace = 'held' | 'counted';

/** An event without its payload; these are sufficient for the shape and the times of a trace. */
export type SkeletonEvent = Exclude<TraceEvent, HeadEvent | WireEvent> | MarkEvent;

type LengthOf = (text: string) => number;

/** An event without its payload. */
export function withoutPayload(event: TraceEvent): SkeletonEvent {
  return event.type === 'head' || event.type === 'wire' ? markOf(event) : event;
}

/** The mark of a head or of bytes. A host with a faster way to count UTF-8 bytes passes `lengthOf`. */
export function markOf(event: HeadEvent | WireEvent, lengthOf: LengthOf = utf8Length): MarkEvent {
  const { type: of, call, at, direction, seq } = event;
  const size = event.type === 'wire' ? sizeOf(event, lengthOf) : 0;
  const count = event.type === 'wire' ? event.count : undefined;
  const serverTime = event.type === 'head' && direction === 'in' ? readServerTime(event.headers) : undefined;
  return {
    type: 'mark',
    of,
    call,
    at,
    direction,
    size,
    ...(count === undefined ? {} : { count }),
    ...(seq === undefined ? {} : { seq }),
    ...(serverTime === undefined ? {} : { serverTime }),
  };
}

/** The number of bytes on the wire, with secrets at their original lengths. */
export function sizeOf({ bytes, redacted }: WireEvent, lengthOf: LengthOf = utf8Length): number {
  const hidden = redacted?.reduce((sum, { length }) => sum + length - REDACTED.length, 0) ?? 0;
  return Math.max(0, storedSize(bytes, lengthOf) + hidden);
}
