import { utf8Length } from '../text/utf8.ts';
import type { HeadEvent, TraceEvent, WireEvent } from './events.ts';
import { REDACTED } from '../secrets/redact-stream.ts';
import { storedSize } from './payload.ts';
import { readServerTime } from './server-timing.ts';

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
  /** The processing time in milliseconds that the server reports in the head of its reply. */
  readonly serverTime?: number;
}

/** Where the payloads of calls are: `kept` in the nodes of the tree, or only `counted` there and stored elsewhere. */
export type PayloadPlace = 'kept' | 'counted';

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
  const serverTime = event.type === 'head' && direction === 'in' ? readServerTime(event.headers) : undefined;
  return {
    type: 'mark',
    of,
    call,
    at,
    direction,
    size,
    ...(seq === undefined ? {} : { seq }),
    ...(serverTime === undefined ? {} : { serverTime }),
  };
}

/** The number of bytes on the wire, with secrets at their original lengths. */
export function sizeOf({ bytes, redacted }: WireEvent, lengthOf: LengthOf = utf8Length): number {
  const hidden = redacted?.reduce((sum, { length }) => sum + length - REDACTED.length, 0) ?? 0;
  return Math.max(0, storedSize(bytes, lengthOf) + hidden);
}
