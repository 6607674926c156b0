import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { whenAborted } from '../when-aborted.ts';

/** Milliseconds between two starts of an agent's process. */
const LEAST = 1_000;

/** Delays a call that would start the agent's process again too soon, so that one that always fails is no burden. */
export class RestartPause {
  #startedAt = -Infinity;
  #isGone = false;
  #waiting: Promise<void> | undefined;

  constructor(connection: Pick<Connection, 'onGone'>) {
    connection.onGone?.(() => (this.#isGone = true));
  }

  /** Resolves when a call may be sent, or its signal is aborted. */
  async before(signal: AbortSignal): Promise<void> {
    if (!this.#isGone) {
      // The first call starts the process.
      if (this.#startedAt === -Infinity) this.#startedAt = performance.now();
      return;
    }
    this.#waiting ??= this.#wait().finally(() => (this.#waiting = undefined));
    await Promise.race([this.#waiting, whenAborted(signal)]);
  }

  async #wait(): Promise<void> {
    const left = this.#startedAt + LEAST - performance.now();
    if (left > 0) await sleep(left, undefined, { ref: false });
    this.#startedAt = performance.now();
    this.#isGone = false;
  }
}
