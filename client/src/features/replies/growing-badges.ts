import { FileDecoration, window, type Disposable, type FileDecorationProvider, type Uri } from 'vscode';
import { describeOutcome } from '../../../../trace/words.ts';
import { DisposableStore } from '../../base/dispose.ts';
import type { TraceStore } from '../../trace/trace-store.ts';
import type { GrowingReplies } from '../../replies/growing-replies.ts';
import { describePause } from './pause-words.ts';

/** The maximum number in a badge, which has two characters. The tooltip of the tab shows the exact number. */
const MAX = 99;

/**
 * Shows the number of received chunks as a badge in the tabs of growing replies, and marks paused ones. The
 * title of an open tab cannot change.
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
    return new FileDecoration(chunks > MAX ? '…' : String(chunks), describeOutcome(node));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
