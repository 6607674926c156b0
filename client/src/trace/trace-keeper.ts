import type { HeadEvent, TraceEvent, WireEvent } from '../../../core/events/events.ts';
import type { SkeletonEvent } from '../../../core/events/marks.ts';
import type { PayloadPiece } from '../../../core/events/payload-pieces.ts';
import type { PayloadRoom } from '../../../trace/payload-room.ts';

/** Keeps the traces of windows on disk. Nothing throws or rejects. */
export interface TraceKeeper {
  /** How many traces of earlier windows are kept. */
  readonly mostTraces: number;
  /** What could not be kept, read or deleted, and why. */
  readonly notes: readonly string[];
  /** Has somebody hear when the notes change. */
  onNote(listener: () => void): void;
  /** Keeps an event. */
  write(event: TraceEvent): void;
  /** Reads what earlier windows kept, the newest first in files, until `isFull`. */
  load(reader: { take(event: SkeletonEvent): void; isFull(): boolean }): Promise<void>;
  /** What was on the wire of a call, in order, as far as there is room; none where it is not kept. */
  payload(call: string, room?: PayloadRoom): Promise<readonly (HeadEvent | WireEvent)[]>;
  /** What was on the wire of calls, in the order that is the quickest to read. */
  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece>;
  /** Deletes calls, with what was on the wire. */
  forget(calls: readonly string[]): void;
  /** Deletes all but some calls and what is pinned, those of earlier windows too. */
  clear(kept: ReadonlySet<string>): Promise<void>;
  /** Writes what waits. */
  close(): Promise<void>;
}
