import type { MarkEvent } from '../../core/events/payload.ts';
import { Ticks } from '../../core/events/ticks.ts';
import type { Traffic } from './tree.ts';

/** The counts of a call's traffic, updated with each event. */
export class CallTraffic implements Traffic {
  bytesOut = 0;
  bytesIn = 0;
  bytesStderr = 0;
  piecesIn = 0;
  firstInAt: number | undefined;
  lastAt: number;
  serverTime: number | undefined;
  #ticks: Ticks | undefined;

  constructor(at: number) {
    this.lastAt = at;
  }

  get ticks(): readonly number[] {
    return this.#ticks?.times ?? [];
  }

  see(at: number): void {
    if (at > this.lastAt) this.lastAt = at;
  }

  /** Releases spare list capacity. */
  trim(): void {
    this.#ticks?.trim();
  }

  take({ of, direction, size, at, count = 1, serverTime }: MarkEvent): void {
    this.see(at);
    if (direction === 'out') this.bytesOut += size;
    else if (direction === 'stderr') this.bytesStderr += size;
    else {
      this.bytesIn += size;
      this.firstInAt = Math.min(this.firstInAt ?? at, at);
      // If there are several heads, as for a call that first had to sign in, the last one counts.
      if (serverTime !== undefined) this.serverTime = serverTime;
      // A piece of size 0 may carry the unpacked text of earlier compressed bytes.
      if (of === 'head' || size === 0) return;
      this.piecesIn += count;
      (this.#ticks ??= new Ticks()).add(at);
    }
  }
}
