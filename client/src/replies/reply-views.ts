import type { Memento } from 'vscode';
import { isReplyView, isTextView, type ReplyViewName } from '../../../wire/reply-messages.ts';

const KEY = 'replyView';

/** The view of replies that the user chose last, for each agent of this workspace. */
export class ReplyViews {
  readonly #state: Memento;

  constructor(state: Memento) {
    this.#state = state;
  }

  /** The chosen view; at first, agents of AICL and AICF start in their own language. */
  find(agent: string, protocol: string): ReplyViewName {
    const stored: unknown = this.#state.get(keyOf(agent));
    if (isReplyView(stored)) return stored;
    return isTextView(protocol) ? protocol : 'read';
  }

  keep(agent: string, view: ReplyViewName): void {
    void this.#state.update(keyOf(agent), view);
  }
}

function keyOf(agent: string): string {
  return `${KEY}.${agent}`;
}
