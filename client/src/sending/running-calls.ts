import { Changing } from '../base/changing.ts';
import { Delay } from '../base/delay.ts';
import type { LiveReply } from '../replies/live-reply.ts';
import { setContext } from '../window/context-key.ts';

/** A running call. */
export interface RunningCall {
  readonly stop: AbortController;
  /** The keys of its request; a request that is sent again has one of them in common. */
  readonly places: readonly string[];
  readonly reply: Pick<LiveReply, 'hasBegun' | 'stay'>;
  /** Resolves when the call is over and its reply is shown. */
  readonly over: Promise<unknown>;
}

/** Milliseconds after which a change is reported, so that a call of a moment changes nothing on the screen. */
const SETTLE = 300;

/** The running calls, which can be stopped by id. Fires shortly after calls began or ended. */
export class RunningCalls extends Changing {
  readonly #calls = new Map<string, RunningCall>();
  readonly #settled = this.own(new Delay(() => this.changed.fire()));

  add(call: string, running: RunningCall): void {
    this.#calls.set(call, running);
    this.#publish();
  }

  delete(call: string): void {
    this.#calls.delete(call);
    this.#publish();
  }

  /** The running call that began last; undefined if there is none. */
  get newest(): string | undefined {
    return [...this.#calls.keys()].at(-1);
  }

  /** The running call of the request at a line; undefined if there is none. */
  findAt(uri: string, line: number): string | undefined {
    const place = placeOf(uri, line);
    return [...this.#calls].findLast(([, { places }]) => places.includes(place))?.[0];
  }

  /** Stops a call. Returns false if it is not running. */
  stop(call: string): boolean {
    const running = this.#calls.get(call);
    running?.stop.abort();
    return running !== undefined;
  }

  /**
   * Stops the calls with these keys whose replies are growing. Resolves when their partial replies are shown,
   * which stay open.
   */
  async endStreams(places: readonly string[]): Promise<void> {
    const old = [...this.#calls.values()].filter(
      call => call.reply.hasBegun && call.places.some(place => places.includes(place)),
    );
    for (const call of old) {
      call.reply.stay();
      call.stop.abort();
    }
    await Promise.all(old.map(call => call.over));
  }

  /** Stops all calls, because the window closes. */
  override dispose(): void {
    for (const { stop } of this.#calls.values()) stop.abort();
    this.#calls.clear();
    super.dispose();
  }

  #publish(): void {
    setContext('callsRunning', this.#calls.size > 0);
    this.#settled.ask(SETTLE);
  }
}

/** The key of the request at a line of a file. */
export function placeOf(uri: string, line: number): string {
  return JSON.stringify([uri, line]);
}
