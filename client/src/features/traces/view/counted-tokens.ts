import {} from 'vscode';
import type { EncodingName } from '../../../../../core/catalog/costs.ts';
import type { TokenUsage } from '../../../../../core/events/events.ts';
import type { CallNode } from '../../../../../trace/fold/tree.ts';
import { Changing } from '../../../base/changing.ts';

/** Tokens of a call that its agent did not report, and the encoding with which they were counted. */
export interface CountedUsage {
  readonly tokens: TokenUsage;
  readonly encoding: EncodingName;
}

/** Finds the counted tokens of a call; undefined if there are none, or the call has grown since. */
export type FindCounted = (node: CallNode) => CountedUsage | undefined;

/** Stores the tokens that were counted in this window, as long as their calls exist. */
export class CountedTokens extends Changing {
  /** Includes the number of bytes that the call had when it was counted. */
  readonly #counted = new WeakMap<CallNode, CountedUsage & { readonly bytes: number }>();

  readonly find: FindCounted = node => {
    const counted = this.#counted.get(node);
    return counted?.bytes === bytesOf(node) ? counted : undefined;
  };

  /** Stores counted tokens of calls. */
  keep(counts: readonly (readonly [node: CallNode, tokens: TokenUsage])[], encoding: EncodingName): void {
    for (const [node, tokens] of counts) this.#counted.set(node, { tokens, encoding, bytes: bytesOf(node) });
    if (counts.length > 0) this.changed.fire();
  }
}

function bytesOf({ traffic: { bytesIn, bytesOut } }: CallNode): number {
  return bytesIn + bytesOut;
}
