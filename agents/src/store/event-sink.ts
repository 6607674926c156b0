import type { TraceEvent } from '../../../protocol/src/trace/events.ts';

/** Where the events of a recording go. */
export interface EventSink {
  /** Takes an event. Never throws. */
  write(event: TraceEvent): void;
  /** True while more waits than may: what can be held back should be. */
  readonly isFull: boolean;
  /** Calls once it is not full. */
  whenFree(act: () => void): void;
  /** Has all that waits be where it belongs, and ends. Answers why events are missing; undefined where none is. */
  close(): Promise<string | undefined>;
}
