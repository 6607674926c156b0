import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from '../connection.ts';
import type { OpenedAgent } from '../open-agent.ts';
import { whenAborted } from '../when-aborted.ts';

/** Milliseconds between two starts of an agent's process. */
const LEAST = 1_000;

/** Codes of calls whose process ended or did not start. */
const ENDED = /^(EXIT \d+|SIG[A-Z\d]+|E[A-Z]+)$/;

/** Delays a call that would start the agent's process again too soon, so that one that always fails is no burden. */
export class RestartPause {
  readonly #startsProcess: boolean;
  #startedAt = -Infinity;
  #isGone = false;
  #waiting: Promise<void> | undefined;

  constructor({ agent, pooled: { connection } }: Pick<OpenedAgent, 'agent' | 'pooled'>) {
    // An agent in the mode one-shot has a process for each call in any case.
    this.#startsProcess = agent.type === 'stdio' && agent.mode !== 'one-shot';
    connection.onGone?.(() => (this.#isGone = true));
  }

  /** Takes the reply to a call: that a process ended before it was ready for calls is known from nothing else. */
  after({ code = '', isProtocol }: Reply): void {
    if (this.#startsProcess && !isProtocol && ENDED.test(code)) this.#isGone = true;
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
