import { EventEmitter, type Disposable, type Event } from 'vscode';
import type { EncodingName } from '../../../core/catalog/encodings.ts';
import type { TokenUsage } from '../../../core/events/events.ts';
import type { CallNode } from '../../../trace/fold/tree.ts';

/** Tokens of a call that its agent did not report, by which encoding they were counted. */
export interface CountedUsage {
  readonly tokens: TokenUsage;
  readonly encoding: EncodingName;
}

/** Finds what was counted of a call; undefined where nothing was, or more of the call came since. */
export type FindCounted = (node: CallNode) => CountedUsage | undefined;

/** What was counted in this window, as long as its calls are there. */
export class CountedTokens implements Disposable {
  /** With the bytes that the call had when it was counted. */
  readonly #counted = new WeakMap<CallNode, CountedUsage & { readonly bytes: number }>();
  readonly #changed = new EventEmitter<void>();

  readonly onDidChange: Event<void> = this.#changed.event;

  readonly find: FindCounted = node => {
    const counted = this.#counted.get(node);
    return counted?.bytes === bytesOf(node) ? counted : undefined;
  };

  /** Keeps what was counted of calls. */
  keep(counts: readonly (readonly [node: CallNode, tokens: TokenUsage])[], encoding: EncodingName): void {
    for (const [node, tokens] of counts) this.#counted.set(node, { tokens, encoding, bytes: bytesOf(node) });
    if (counts.length > 0) this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function bytesOf({ traffic: { bytesIn, bytesOut } }: CallNode): number {
  return bytesIn + bytesOut;
}
