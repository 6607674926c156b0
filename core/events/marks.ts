import { utf8Length } from '../text/utf8.ts';
import type { HeadEvent, TraceEvent, WireEvent } from './events.ts';
import { REDACTED } from '../secrets/redact-stream.ts';
import { keptSize } from './said.ts';
import { readServerTime } from './server-timing.ts';

/** What is left of a head or of bytes where they are kept elsewhere, as in a file: that they were, when, and how many. */
export interface MarkEvent {
  readonly type: 'mark';
  readonly of: 'head' | 'wire';
  readonly call: string;
  readonly at: number;
  readonly seq?: number;
  readonly direction: WireEvent['direction'];
  /** Bytes as they were on the wire; 0 for a head. */
  readonly size: number;
  /** Milliseconds that the server says it took, in the head of its reply. */
  readonly serverTime?: number;
}

/** Where the payloads of calls are: with their nodes, or elsewhere. */
export type PayloadPlace = 'kept' | 'counted';

/** Events without their payloads: a trace's shape and times. */
export type SkeletonEvent = Exclude<TraceEvent, HeadEvent | WireEvent> | MarkEvent;

/** Counts the UTF-8 bytes of a text. */
type LengthOf = (text: string) => number;

/** An event without its payload. */
export function withoutPayload(event: TraceEvent): SkeletonEvent {
  return event.type === 'head' || event.type === 'wire' ? markOf(event) : event;
}

/** The mark of a head or of bytes. A host that counts the UTF-8 bytes of a text faster brings how it does. */
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

/** How many bytes went over the wire: a secret counts as long as it was. */
export function sizeOf({ bytes, redacted }: WireEvent, lengthOf: LengthOf = utf8Length): number {
  const hidden = redacted?.reduce((sum, { length }) => sum + length - REDACTED.length, 0) ?? 0;
  return Math.max(0, keptSize(bytes, lengthOf) + hidden);
}
