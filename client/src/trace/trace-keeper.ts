import type { HeadEvent, TraceEvent, WireEvent } from '../../../core/events/events.ts';
import type { SkeletonEvent, PayloadPiece } from '../../../core/events/payload.ts';
import type { PayloadLimiter } from '../../../trace/payload-limiter.ts';

/** Stores the traces of windows on disk. Never throws or rejects. */
export interface TraceKeeper {
  /** The maximum number of stored traces of earlier windows. */
  readonly maxTraces: number;
  /** Errors of storing, reading and deleting. */
  readonly notes: readonly string[];
  /** Calls the listener when the notes change. */
  onNote(listener: () => void): void;
  /** Stores an event. */
  write(event: TraceEvent): void;
  /** Reads the stored traces of earlier windows, the newest files first, until `isFull`. */
  load(reader: { take(event: SkeletonEvent): void; isFull(): boolean }): Promise<void>;
  /** The payload of a call in order, up to the limit of `limiter`; empty if it is not stored. */
  payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]>;
  /** The payloads of calls, in the fastest order to read. */
  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece>;
  /** A payload with the content of compressed bytes, up to the limit of `limiter`. */
  unpack(
    payload: readonly (HeadEvent | WireEvent)[],
    limiter?: PayloadLimiter,
  ): Promise<readonly (HeadEvent | WireEvent)[]>;
  /** Deletes calls with their payloads. */
  forget(calls: readonly string[]): void;
  /** Deletes all calls except the given and the pinned ones, also those of earlier windows. */
  clear(stored: ReadonlySet<string>): Promise<void>;
  /** Writes pending events. */
  close(): Promise<void>;
}
