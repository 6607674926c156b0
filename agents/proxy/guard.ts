import { DEEPEST_CALL } from '../../core/catalog/trace-names.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import { describeTooDeep, isTooDeep } from '../../core/events/recursion-guard.ts';
import type { CallNode } from '../../trace/fold/tree.ts';

/** The maximum number of traces that are remembered; the oldest ones are forgotten. */
const MAX_TRACES = 1_000;

/**
 * Tracks the depth of recorded calls, for recordings that refuse calls that are too deep (reading of OpenStarry,
 * section 5). Only carried depths and named parents count, never inferred ones. One guard may serve several recordings.
 */
export class RecursionGuard {
  readonly #fold = new TraceFold('counted');
  readonly #limit: () => number;
  #taken = 0;

  /** `limit`: the maximum number of calls above a call that passes; a function is evaluated for each call. */
  constructor(limit: number | (() => number) = DEEPEST_CALL) {
    this.#limit = typeof limit === 'number' ? () => limit : limit;
  }

  /** Receives recorded events. */
  take(event: TraceEvent): void {
    // Traffic on the wire does not change depths.
    if (event.type === 'head' || event.type === 'wire') return;
    this.#fold.add(event);
    this.#fold.takeChanges();
    if (event.type === 'call' && ++this.#taken % MAX_TRACES === 0) this.#forgetOld();
  }

  /** Why a call is refused, as a sentence; undefined if it may pass. */
  findFault(call: string): string | undefined {
    const node = this.#fold.find(call);
    const depth = node ? knownDepth(node) : 0;
    const limit = this.#limit();
    return isTooDeep(depth, limit)
      ? `${describeTooDeep(depth, limit)}. The call was not forwarded`
      : undefined;
  }

  #forgetOld(): void {
    const trees = this.#fold.trees();
    for (const tree of trees.slice(0, Math.max(0, trees.length - MAX_TRACES))) this.#fold.forget(tree);
  }
}

/**
 * The number of calls above a call: the greater of the depth that it or a named parent carries, and the
 * number of named parents. An agent that drops or restarts the depth still names its parent.
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
