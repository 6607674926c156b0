import type { Disposable } from 'vscode';

/** The calls under way, so that any of them can be stopped by its id. */
export class RunningCalls implements Disposable {
  readonly #stops = new Map<string, AbortController>();

  add(call: string, stop: AbortController): void {
    this.#stops.set(call, stop);
  }

  delete(call: string): void {
    this.#stops.delete(call);
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
}
