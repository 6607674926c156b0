import { DEEPEST_CALL } from '../../core/catalog/trace-names.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import { describeTooDeep, isTooDeep } from '../../core/events/recursion-guard.ts';
import type { CallNode } from '../../trace/fold/tree.ts';

/** Traces that are remembered; those that began first are forgotten. */
const MOST_TRACES = 1_000;

/**
 * Knows how deep recorded calls stand, for recordings that refuse what is too deep (reading of OpenStarry, section 5). Only
 * depths that were carried and parents that were named count, never inferred ones. One guard may serve several recordings.
 */
export class RecursionGuard {
  readonly #fold = new TraceFold('counted');
  readonly #limit: () => number;
  #taken = 0;

  /** `limit`: the greatest count of calls above one that passes, asked at each call where it is a function. */
  constructor(limit: number | (() => number) = DEEPEST_CALL) {
    this.#limit = typeof limit === 'number' ? () => limit : limit;
  }

  /** Hears what is recorded. */
  take(event: TraceEvent): void {
    // What went over the wire says nothing of depths.
    if (event.type === 'head' || event.type === 'wire') return;
    this.#fold.add(event);
    this.#fold.takeChanges();
    if (event.type === 'call' && ++this.#taken % MOST_TRACES === 0) this.#forgetOld();
  }

  /** Why a call is refused, a sentence; undefined for one that may pass. */
  findFault(call: string): string | undefined {
    const node = this.#fold.find(call);
    const depth = node ? knownDepth(node) : 0;
    const limit = this.#limit();
    return isTooDeep(depth, limit) ? `${describeTooDeep(depth, limit)}; it was not passed on` : undefined;
  }

  #forgetOld(): void {
    const trees = this.#fold.trees();
    for (const tree of trees.slice(0, Math.max(0, trees.length - MOST_TRACES))) this.#fold.forget(tree);
  }
}

/**
 * The count of calls above one: as it or a named parent carries it, or as far as parents are named, whichever is more. An agent
 * that carries no count on, or begins it anew, still names its parent.
 */
function knownDepth(node: CallNode): number {
  let [above, deepest] = [0, 0];
  for (let at: CallNode | undefined = node; at; at = at.parentage === 'named' ? at.parent : undefined) {
    const carried = at.names.find(name => name.depth !== undefined)?.depth ?? 0;
    deepest = Math.max(deepest, carried + above);
    if (at.parentage === 'named' && !at.isView && !at.call.back) above++;
  }
  return deepest;
}
