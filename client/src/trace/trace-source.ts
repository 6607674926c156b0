import type { Event } from 'vscode';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import type { PayloadPiece } from '../../../core/events/payload.ts';
import type { PayloadLimiter } from '../../../trace/payload-limiter.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';

/** The changes of a source since the last event. */
export interface SourceChange {
  /** Calls that were added, changed or moved. */
  readonly changed: ReadonlySet<CallNode>;
  /** The ids of calls that are no longer stored. */
  readonly dropped: readonly string[];
}

/** Traces for views: those of this window, live, or those of a file. */
export interface TraceSource {
  /** The title of a tab: `Live traces`, or the name of the file. */
  readonly title: string;
  /** Fires at most once in a few frames, however many events arrive. */
  readonly onDidChange: Event<SourceChange>;
  /** All traces, the newest first. */
  trees(): readonly TraceTree[];
  /** The trace of a call; undefined if the call is not stored. */
  treeOf(call: string): TraceTree | undefined;
  find(call: string): CallNode | undefined;
  /** The payload of a call in order, up to the limit of `limiter`; empty if it is not stored. Never rejects. */
  payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]>;
  /** The payloads of many calls, in the fastest order to read. Never rejects. */
  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece>;
  /** Notes about the source as a whole, such as lines of a file that were left out. */
  notes(): readonly string[];
}

/** A call and its source. */
export interface CallPlace {
  readonly source: TraceSource;
  readonly call: string;
}
