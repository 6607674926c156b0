import type { MarkEvent } from '../../core/events/marks.ts';
import { Ticks } from '../../core/events/ticks.ts';
import type { Traffic } from './tree.ts';

/** The numbers of a call's traffic as they grow. */
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

  /** Gives back the room that lists have for more. */
  trim(): void {
    this.#ticks?.trim();
  }

  take({ of, direction, size, at, serverTime }: MarkEvent): void {
    this.see(at);
    if (direction === 'out') this.bytesOut += size;
    else if (direction === 'stderr') this.bytesStderr += size;
    else {
      this.bytesIn += size;
      this.firstInAt = Math.min(this.firstInAt ?? at, at);
      // Of several heads, such as of a call that was asked to sign in first, the last one counts.
      if (serverTime !== undefined) this.serverTime = serverTime;
      // What compressed bytes said may be told after them.
      if (of === 'head' || size === 0) return;
      this.piecesIn++;
      (this.#ticks ??= new Ticks()).add(at);
    }
  }
}
