/** The longest delay of a Node timer in milliseconds (31 bits); a timer with a longer one fires at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The nearest delay that a Node timer supports. */
export function capTimer(milliseconds: number): number {
  return Math.max(0, Math.min(milliseconds, LONGEST_TIMER));
}

/** The two time limits of a call: for silence, and for the whole call. Time while they are stopped does not count. */
export class CallTimers {
  readonly #idle: number;
  readonly #onEnd: (kind: 'idle' | 'total') => void;
  #left: number | undefined;
  #runningSince: number | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #totalTimer: NodeJS.Timeout | undefined;

  /** Milliseconds of each limit; `onEnd` is called with the one that is reached. */
  constructor(idle: number, total: number | undefined, onEnd: (kind: 'idle' | 'total') => void) {
    this.#idle = idle;
    this.#left = total;
    this.#onEnd = onEnd;
  }

  /** Starts the timers, or continues after `stop`. */
  start(): void {
    this.#runningSince = performance.now();
    if (this.#left !== undefined)
      this.#totalTimer = setTimeout(() => this.#onEnd('total'), capTimer(this.#left));
    this.touch();
  }

  stop(): void {
    if (this.#runningSince === undefined) return;
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#totalTimer);
    this.#idleTimer = undefined;
    if (this.#left !== undefined) this.#left -= performance.now() - this.#runningSince;
    this.#runningSince = undefined;
  }

  /** Something has arrived: the silence begins anew. */
  touch(): void {
    if (this.#runningSince === undefined) return;
    if (this.#idleTimer) this.#idleTimer.refresh();
    else this.#idleTimer = setTimeout(() => this.#onEnd('idle'), capTimer(this.#idle));
  }
}
