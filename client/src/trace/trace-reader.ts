import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import type { TraceFold } from '../../../trace/fold/fold.ts';
import type { PayloadPiece } from '../../../core/events/payload-pieces.ts';
import type { PayloadRoom } from '../../../trace/payload-room.ts';

/** Reads the traces of one file, and what comes to it. Nothing throws or rejects; what cannot be read is told. */
export interface TraceReader {
  /** The calls so far. It is another one after `readOn` answered `anew`. */
  readonly fold: TraceFold;
  /** What was left out, and why. */
  readonly notes: readonly string[];
  /** Reads what is in the file and was not read yet, until `signal`. `progress` hears how many of its bytes were read. */
  readOn(progress?: (read: number, size: number) => void, signal?: AbortSignal): Promise<ReadOn>;
  /** What was on the wire of a call, in order, as far as there is room; none where that cannot be read any more. */
  payload(call: string, room?: PayloadRoom): Promise<readonly (HeadEvent | WireEvent)[]>;
  /** What was on the wire of calls, in the order that is the quickest to read. */
  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece>;
}

/**
 * What reading on found: nothing new, more events, another file in the place of the one that was read, or one after it, while the
 * rest of that one was not there any more.
 */
type ReadOn =
  | { readonly ok: true; readonly found: 'nothing' | 'more' | 'anew' | 'missed' }
  | { readonly ok: false; readonly message: string };

/** Reads a trace file of ours on this computer, whatever its size. */
export type OpenTraceFile = (path: string) => TraceReader;
