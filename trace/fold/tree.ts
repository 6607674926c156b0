import type {
  AttributesEvent,
  CallEvent,
  CallStatus,
  HeadEvent,
  TokenUsage,
  TraceName,
  WireEvent,
} from '../../core/events/events.ts';

/** How the parent of a call is known: it says so itself, or it was seen to be made while another one was served. */
export type Parentage = 'root' | 'named' | 'inferred';

/** What went over the wire of a call, in numbers. Bytes as they were, secrets included. */
export interface Traffic {
  readonly bytesOut: number;
  readonly bytesIn: number;
  readonly bytesStderr: number;
  /** Pieces of the reply, heads not counted. */
  readonly piecesIn: number;
  /** When the first of the reply came, its head included; milliseconds since 1970. */
  readonly firstInAt: number | undefined;
  /** When the newest of all its events came. */
  readonly lastAt: number;
  /** When pieces of the reply came, at most 512 of them, evenly left out where there were more. */
  readonly ticks: readonly number[];
  /** Milliseconds that the agent says it took, in `Server-Timing`; undefined where it does not say. */
  readonly serverTime: number | undefined;
}

/**
 * A call as the events so far tell it. It is one object from its first event to its last: what it says changes as
 * events come, and `TraceFold.takeChanges` tells which calls changed.
 */
export interface CallNode {
  /** With what was learned of it later in place. */
  readonly call: CallEvent;
  readonly status: CallStatus;
  /** Milliseconds from the call to its end; undefined while it is open. */
  readonly duration: number | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly usage: TokenUsage | undefined;
  readonly notes: readonly string[];
  readonly attributes: AttributesEvent['attributes'];
  /** Heads and bytes in their order; none where they are kept elsewhere. */
  readonly payload: readonly (HeadEvent | WireEvent)[];
  readonly heads: readonly HeadEvent[];
  readonly wire: readonly WireEvent[];
  readonly traffic: Traffic;
  /** All names that it carries, `call.trace` among them. */
  readonly names: readonly TraceName[];
  readonly parent: CallNode | undefined;
  readonly parentage: Parentage;
  /** Ordered by their time, then by their id. */
  readonly children: readonly CallNode[];
  /** True where it is the call above it, seen from another side: it adds no depth. */
  readonly isView: boolean;
  /** The count of calls above it: as it carries it, else as the tree has it. */
  readonly depth: number;
  /** The agents from the one that is entered again to itself, such as A, B, C, A; undefined where none is. */
  readonly cycle: readonly string[] | undefined;
  /** True where a caller on the way round is inferred: calls of one client, made side by side, look the same. */
  readonly isCycleInferred: boolean;
}

/** One trace: the calls without a parent, with all that they led to. */
export interface TraceTree {
  /** The name of the trace: that of its first call, with a number where the name was used before. */
  readonly trace: string;
  /** Ordered by their time, then by their id. */
  readonly roots: readonly CallNode[];
  /** Calls in all. */
  readonly size: number;
}
