import type {
  AttributesEvent,
  CallEvent,
  CallStatus,
  HeadEvent,
  TokenUsage,
  TraceName,
  WireEvent,
} from '../../core/events/events.ts';

/**
 * How the parent of a call is known: the call names it, or it was observed while its caller was serving
 * another one.
 */
export type Parentage = 'root' | 'named' | 'inferred';

/** Counts of a call's traffic, in bytes on the wire, secrets included. */
export interface Traffic {
  readonly bytesOut: number;
  readonly bytesIn: number;
  readonly bytesStderr: number;
  /** The number of pieces of the reply, without heads. */
  readonly piecesIn: number;
  /** When the first byte of the reply arrived, head included; milliseconds since 1970. */
  readonly firstInAt: number | undefined;
  /** When its latest event arrived. */
  readonly lastAt: number;
  /** The arrival times of pieces of the reply, thinned out evenly to at most 512. */
  readonly ticks: readonly number[];
  /** The time in milliseconds that the agent reports in `Server-Timing`; undefined if it does not. */
  readonly serverTime: number | undefined;
}

/**
 * A call, as far as its events arrived. It is the same object throughout: its members change with events, and
 * `TraceFold.takeChanges` returns which calls changed.
 */
export interface CallNode {
  /** The call event, with what was learned later. */
  readonly call: CallEvent;
  readonly status: CallStatus;
  /** Milliseconds from the call to its end; undefined while it is open. */
  readonly duration: number | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly usage: TokenUsage | undefined;
  readonly notes: readonly string[];
  readonly attributes: AttributesEvent['attributes'];
  /** Heads and bytes in order; empty if they are stored elsewhere. */
  readonly payload: readonly (HeadEvent | WireEvent)[];
  readonly heads: readonly HeadEvent[];
  readonly wire: readonly WireEvent[];
  readonly traffic: Traffic;
  /** All its trace names, including `call.trace`. */
  readonly names: readonly TraceName[];
  readonly parent: CallNode | undefined;
  readonly parentage: Parentage;
  /** Ordered by their time, then by their id. */
  readonly children: readonly CallNode[];
  /** True for another side's view of the parent call, which adds no depth. */
  readonly isView: boolean;
  /** The number of calls above it: from its own trace names, else from the tree. */
  readonly depth: number;
  /**
   * The agents of a cycle, from the first call of the agent to this one, such as A, B, C, A; undefined
   * without a cycle.
   */
  readonly cycle: readonly string[] | undefined;
  /** True if a caller in the cycle is inferred: parallel calls of one client can look like a cycle. */
  readonly isCycleInferred: boolean;
}

/** One trace: the calls without a parent, with all their descendants. */
export interface TraceTree {
  /** The name of the trace: that of its first call, with a number if the name was used before. */
  readonly trace: string;
  /** Ordered by their time, then by their id. */
  readonly roots: readonly CallNode[];
  /** The number of all calls. */
  readonly size: number;
}
