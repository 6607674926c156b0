import { commands, EventEmitter, window, type Disposable, type Uri } from 'vscode';
import { DisposableStore } from '../dispose.ts';
import { hasTab } from './reply-tabs.ts';

/** The URIs of replies that still grow: the Stop button of their tabs looks here. */
const GROWING_KEY = 'parley.growingReplies';
/** The URIs of replies whose view stands still while more comes: they have a Resume button. */
const PAUSED_KEY = 'parley.pausedReplies';

/** A reply whose tab does not show all of it yet. */
export interface GrowingReply {
  readonly call: string;
  /** `held` where it came to its end while its view was paused. */
  readonly state: 'growing' | 'paused' | 'held';
  /** Characters that came and are not shown. */
  readonly waiting: number;
  /** Has the view stand still. What comes is kept. */
  pause(): void;
  /** Shows all that came, and from then on what comes. */
  resume(): Promise<void>;
}

/** Which replies still grow, or came to their end behind a paused view. */
export class GrowingReplies implements Disposable {
  readonly #replies = new Map<string, GrowingReply>();
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<Uri>());

  /** A reply began to grow, grew, was paused, or is shown whole. */
  readonly onDidChange = this.#changed.event;

  constructor() {
    // Who closes a paused tab does not want to see what came.
    this.#store.add(
      window.tabGroups.onDidChangeTabs(({ closed }) => closed.length > 0 && this.#forgetHeld()),
    );
  }

  add(uri: Uri, reply: GrowingReply): void {
    this.#replies.set(uri.toString(), reply);
    this.update(uri);
  }

  /** Tells that a reply grew. */
  touch(uri: Uri): void {
    this.#changed.fire(uri);
  }

  /** Tells that a reply is in another state. */
  update(uri: Uri): void {
    this.#publish();
    this.#changed.fire(uri);
  }

  delete(uri: Uri): void {
    if (this.#replies.delete(uri.toString())) this.update(uri);
  }

  /** The reply in a document, or undefined where none grows and none is held. */
  find(uri: Uri): GrowingReply | undefined {
    return this.#replies.get(uri.toString());
  }

  /** The call whose reply grows in a document, or undefined where none does. */
  findCall(uri: Uri): string | undefined {
    const reply = this.find(uri);
    return reply?.state === 'held' ? undefined : reply?.call;
  }

  /** True where no tab is needed by a reply. */
  get isEmpty(): boolean {
    return this.#replies.size === 0;
  }

  dispose(): void {
    this.#store.dispose();
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
    // A menu that is late by a moment harms nothing, so nobody waits.
    void commands.executeCommand('setContext', GROWING_KEY, growing);
    void commands.executeCommand('setContext', PAUSED_KEY, paused);
  }
}
