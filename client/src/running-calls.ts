import { commands, type Disposable } from 'vscode';

/** True while a call is under way: the palette and a key offer to stop it then. */
const RUNNING_KEY = 'parley.callsRunning';

/** The calls under way, so that any of them can be stopped by its id. */
export class RunningCalls implements Disposable {
  readonly #stops = new Map<string, AbortController>();

  add(call: string, stop: AbortController): void {
    this.#stops.set(call, stop);
    this.#publish();
  }

  delete(call: string): void {
    this.#stops.delete(call);
    this.#publish();
  }

  /** The call that began last of those under way, or undefined. */
  get newest(): string | undefined {
    return [...this.#stops.keys()].at(-1);
  }

  /** Stops a call. Answers false where it is not under way. */
  stop(call: string): boolean {
    const stop = this.#stops.get(call);
    stop?.abort();
    return stop !== undefined;
  }

  /** Stops them all: the window goes. */
  dispose(): void {
    for (const stop of this.#stops.values()) stop.abort();
    this.#stops.clear();
  }

  #publish(): void {
    // A menu that is late by a moment harms nothing, so nobody waits.
    void commands.executeCommand('setContext', RUNNING_KEY, this.#stops.size > 0);
  }
}
