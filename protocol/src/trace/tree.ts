import type { CallEvent, CallStatus, HeadEvent, WireEvent } from './events.ts';

/** A call as the events so far tell it. */
export interface CallNode {
  readonly call: CallEvent;
  readonly status: CallStatus;
  /** Milliseconds from the call to its end; undefined while it is open. */
  readonly duration: number | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly notes: readonly string[];
  readonly heads: readonly HeadEvent[];
  readonly wire: readonly WireEvent[];
  /** Ordered by their time, then by their id. */
  readonly children: readonly CallNode[];
}

/** One trace: the calls without a parent, with all that they led to. */
export interface TraceTree {
  readonly trace: string;
  /** Ordered by their time, then by their id. */
  readonly roots: readonly CallNode[];
}
