import { FileDecoration, window, type Disposable, type FileDecorationProvider, type Uri } from 'vscode';
import { describeOutcome } from '../../../trace/words.ts';
import { DisposableStore } from '../dispose.ts';
import type { TraceStore } from '../trace/trace-store.ts';
import type { GrowingReplies } from './growing-replies.ts';
import { describePause } from './pause-words.ts';

/** A badge has room for two characters. The words beside it, which the tab shows on hover, say the whole number. */
const MOST = 99;

/**
 * Counts, in the tabs of replies that grow, the chunks that came so far, and marks those whose view is paused. A title
 * cannot change while its tab stands.
 */
export class GrowingBadges implements FileDecorationProvider, Disposable {
  readonly #growing: GrowingReplies;
  readonly #traces: TraceStore;
  readonly #store = new DisposableStore();

  readonly onDidChangeFileDecorations;

  constructor(growing: GrowingReplies, traces: TraceStore) {
    this.#growing = growing;
    this.#traces = traces;
    this.onDidChangeFileDecorations = growing.onDidChange;
    this.#store.add(window.registerFileDecorationProvider(this));
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    const reply = this.#growing.find(uri);
    if (!reply) return undefined;
    if (reply.state !== 'growing') return new FileDecoration('‖', describePause(reply));
    const node = this.#traces.findCall(reply.call)?.node;
    if (!node) return undefined;
    const chunks = node.traffic.piecesIn;
    return new FileDecoration(chunks > MOST ? '…' : String(chunks), describeOutcome(node));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
