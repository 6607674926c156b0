import { commands, type Disposable } from 'vscode';
import type { LiveReply } from './replies/live-reply.ts';

/** True while a call is under way: the palette and a key offer to stop it then. */
const RUNNING_KEY = 'parley.callsRunning';

/** A call under way. */
export interface RunningCall {
  readonly stop: AbortController;
  /** The places of its request, in words: one that is sent again has one of them. */
  readonly places: readonly string[];
  readonly reply: Pick<LiveReply, 'hasBegun' | 'stay'>;
  /** Resolves when it is over and its reply is shown. */
  readonly over: Promise<unknown>;
}

/** The calls under way, so that any of them can be stopped by its id. */
export class RunningCalls implements Disposable {
  readonly #calls = new Map<string, RunningCall>();

  add(call: string, running: RunningCall): void {
    this.#calls.set(call, running);
    this.#publish();
  }

  delete(call: string): void {
    this.#calls.delete(call);
    this.#publish();
  }

  /** The call that began last of those under way, or undefined. */
  get newest(): string | undefined {
    return [...this.#calls.keys()].at(-1);
  }

  /** Stops a call. Answers false where it is not under way. */
  stop(call: string): boolean {
    const running = this.#calls.get(call);
    running?.stop.abort();
    return running !== undefined;
  }

  /** Stops the calls from these places whose replies grow; resolves when they are shown with what came, to stay. */
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

  /** Stops them all: the window goes. */
  dispose(): void {
    for (const { stop } of this.#calls.values()) stop.abort();
    this.#calls.clear();
  }

  #publish(): void {
    // A menu that is late by a moment harms nothing, so nobody waits.
    void commands.executeCommand('setContext', RUNNING_KEY, this.#calls.size > 0);
  }
}
