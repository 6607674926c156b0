import type { TraceEvent } from '../../core/events/events.ts';

/** Something with a limited capacity that may be full for a while. */
export interface Capacity {
  /** True while too much waits: what can be held back should be. */
  readonly isFull: boolean;
  /** Calls `act` once this is not full, at once if it is not full now. */
  whenFree(act: () => void): void;
}

/** Unlimited capacity. */
export const NO_LIMIT: Capacity = {
  isFull: false,
  whenFree(act) {
    act();
  },
};

/** The destination of a recording's events. */
export interface EventSink extends Capacity {
  /** Writes an event. Never throws. */
  write(event: TraceEvent): void;
  /** Writes what waits, and ends. Returns why events are missing; undefined if none are. */
  close(): Promise<string | undefined>;
}
