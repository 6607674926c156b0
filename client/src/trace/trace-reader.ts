import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import type { TraceFold } from '../../../trace/fold/fold.ts';
import type { PayloadPiece } from '../../../core/events/payload.ts';
import type { PayloadLimiter } from '../../../trace/payload-limiter.ts';

/** Reads the traces of one file, including later additions. Never throws or rejects; errors are returned. */
export interface TraceReader {
  /** The calls so far. It is a new object after `readOn` has returned `anew`. */
  readonly fold: TraceFold;
  /** What was left out, and why. */
  readonly notes: readonly string[];
  /**
   * Reads new content of the file until the end or until `signal` is aborted. `progress` receives the number
   * of bytes read.
   */
  readOn(progress?: (read: number, size: number) => void, signal?: AbortSignal): Promise<ReadOn>;
  /** The payload of a call in order, up to the limit of `limiter`; empty if it can no longer be read. */
  payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]>;
  /** The payloads of calls, in the fastest order to read. */
  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece>;
}

/**
 * The result of reading on: nothing new, more events, another file in place of the previous one, or another
 * file while the rest of the previous one was missed.
 */
type ReadOn =
  | { readonly ok: true; readonly found: 'nothing' | 'more' | 'anew' | 'missed' }
  | { readonly ok: false; readonly message: string };

/** Reads a local agenttrace file of any size. */
export type OpenTraceFile = (path: string) => TraceReader;
