import type { TraceEvent } from '../../core/events/events.ts';

/** What may have no room for more, for a while. */
export interface Room {
  /** True while more waits than may: what can be held back should be. */
  readonly isFull: boolean;
  /** Calls once it is not full: at once where it is not. */
  whenFree(act: () => void): void;
}

/** Room that never ends. */
export const NO_LIMIT: Room = {
  isFull: false,
  whenFree(act) {
    act();
  },
};

/** Where the events of a recording go. */
export interface EventSink extends Room {
  /** Takes an event. Never throws. */
  write(event: TraceEvent): void;
  /** Has all that waits be where it belongs, and ends. Answers why events are missing; undefined where none is. */
  close(): Promise<string | undefined>;
}
