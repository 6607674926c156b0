import type { Event } from 'vscode';
import type { HeadEvent, WireEvent } from '../../../core/events/events.ts';
import type { PayloadPiece } from '../../../core/events/payload-pieces.ts';
import type { PayloadRoom } from '../../../trace/payload-room.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';

/** What changed in a source since it was told last. */
export interface SourceChange {
  /** Calls that are new, that changed, or that stand elsewhere. */
  readonly changed: ReadonlySet<CallNode>;
  /** Ids of calls that are no longer kept. */
  readonly dropped: readonly string[];
}

/** Traces that views read: those of this window, as they come, or those of a file. */
export interface TraceSource {
  /** What a tab says: `Live traces`, or the name of the file. */
  readonly title: string;
  /** At most once in a few frames, however much comes. */
  readonly onDidChange: Event<SourceChange>;
  /** All traces, the newest first. */
  trees(): readonly TraceTree[];
  /** The trace of a call; undefined where the call is not kept. */
  treeOf(call: string): TraceTree | undefined;
  find(call: string): CallNode | undefined;
  /** What was on the wire of a call, in order, as far as there is room; none where it is not kept. Never rejects. */
  payload(call: string, room?: PayloadRoom): Promise<readonly (HeadEvent | WireEvent)[]>;
  /** What was on the wire of calls, for who looks through many: in the order that is the quickest to read. Never rejects. */
  payloads(calls: readonly string[]): AsyncIterable<PayloadPiece>;
  /** What is odd about the source as a whole, such as lines of a file that were left out. */
  notes(): readonly string[];
}

/** A call, and where it is read. */
export interface CallPlace {
  readonly source: TraceSource;
  readonly call: string;
}
