import { FileDecoration, window, type FileDecorationProvider, type Uri } from 'vscode';
import { describeOutcome } from '../../../../trace/words.ts';
import { Owner } from '../../base/dispose.ts';
import type { TraceStore } from '../../trace/trace-store.ts';
import type { GrowingReplies } from '../../replies/growing-replies.ts';
import { describePause } from './pause-words.ts';

/**
 * Marks the tabs of growing and of paused replies, whose titles cannot change while they are open. The tooltip has the
 * numbers: a number in a badge would look like a count of problems.
 */
export class GrowingBadges extends Owner implements FileDecorationProvider {
  readonly #growing: GrowingReplies;
  readonly #traces: TraceStore;

  readonly onDidChangeFileDecorations;

  constructor(growing: GrowingReplies, traces: TraceStore) {
    super();
    this.#growing = growing;
    this.#traces = traces;
    this.onDidChangeFileDecorations = growing.onDidChange;
    this.own(window.registerFileDecorationProvider(this));
  }

  provideFileDecoration(uri: Uri): FileDecoration | undefined {
    const reply = this.#growing.find(uri);
    if (!reply) return undefined;
    if (reply.state !== 'growing') return new FileDecoration('‖', describePause(reply));
    const node = this.#traces.findCall(reply.call)?.node;
    return node && new FileDecoration('…', describeOutcome(node));
  }
}
