import { window, type Uri } from 'vscode';
import { Changing } from '../base/changing.ts';
import { hasTab } from './reply-tabs.ts';
import { setContext } from '../window/context-key.ts';

/** A reply whose tab does not show all of it yet. */
export interface GrowingReply {
  readonly call: string;
  /** `held` means that the reply ended while its view was paused. */
  readonly state: 'growing' | 'paused' | 'held';
  /** The number of received characters that are not shown. */
  readonly waiting: number;
  /** Pauses the view. What arrives is still stored. */
  pause(): void;
  /** Shows everything received, and follows the reply again. */
  resume(): Promise<void>;
}

/**
 * The replies that are growing, or that ended while their view was paused. Fires when one begins, grows, is paused, or is
 * shown completely.
 */
export class GrowingReplies extends Changing<Uri> {
  readonly #replies = new Map<string, GrowingReply>();

  constructor() {
    super();
    // Closing a paused tab discards the rest of its reply.
    this.own(window.tabGroups.onDidChangeTabs(({ closed }) => closed.length > 0 && this.#forgetHeld()));
  }

  add(uri: Uri, reply: GrowingReply): void {
    this.#replies.set(uri.toString(), reply);
    this.update(uri);
  }

  /** Signals that a reply grew. */
  touch(uri: Uri): void {
    this.changed.fire(uri);
  }

  /** Signals that the state of a reply changed. */
  update(uri: Uri): void {
    this.#publish();
    this.changed.fire(uri);
  }

  delete(uri: Uri): void {
    if (this.#replies.delete(uri.toString())) this.update(uri);
  }

  /** The reply in a document; undefined if none is growing or held. */
  find(uri: Uri): GrowingReply | undefined {
    return this.#replies.get(uri.toString());
  }

  /** The call whose reply is growing in a document; undefined if there is none. */
  findCall(uri: Uri): string | undefined {
    const reply = this.find(uri);
    return reply?.state === 'held' ? undefined : reply?.call;
  }

  /** True if no reply needs its tab. */
  get isEmpty(): boolean {
    return this.#replies.size === 0;
  }

  #forgetHeld(): void {
    const gone = [...this.#replies].filter(([key, { state }]) => state === 'held' && !hasTab(key));
    for (const [key] of gone) this.#replies.delete(key);
    if (gone.length > 0) this.#publish();
  }

  #publish(): void {
    const replies = [...this.#replies];
    const growing = replies.filter(([, { state }]) => state !== 'held').map(([key]) => key);
    const paused = replies.filter(([, { state }]) => state !== 'growing').map(([key]) => key);
    setContext('growingReplies', growing);
    setContext('pausedReplies', paused);
  }
}
