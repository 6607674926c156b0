import { commands, EventEmitter, type Disposable, type Uri } from 'vscode';

/** The URIs of replies that still grow: the Stop button of their tabs looks here. */
const GROWING_KEY = 'parley.growingReplies';

/** Which replies still grow, and for which calls. */
export class GrowingReplies implements Disposable {
  readonly #calls = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();

  /** A reply began to grow, grew, or ended. */
  readonly onDidChange = this.#changed.event;

  add(uri: Uri, call: string): void {
    this.#calls.set(uri.toString(), call);
    this.#publish();
    this.#changed.fire(uri);
  }

  /** Tells that a reply grew. */
  touch(uri: Uri): void {
    this.#changed.fire(uri);
  }

  delete(uri: Uri): void {
    if (!this.#calls.delete(uri.toString())) return;
    this.#publish();
    this.#changed.fire(uri);
  }

  /** The call whose reply grows in a document, or undefined where none does. */
  findCall(uri: Uri): string | undefined {
    return this.#calls.get(uri.toString());
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #publish(): void {
    // A menu that is late by a moment harms nothing, so nobody waits.
    void commands.executeCommand('setContext', GROWING_KEY, [...this.#calls.keys()]);
  }
}
