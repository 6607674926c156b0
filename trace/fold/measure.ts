import type { CallRecord } from './call-record.ts';

/** The maximum number of ancestors examined for a call's agent, which limits the cost of hostile traces. */
const MAX_ABOVE = 256;

/**
 * Measures calls: their depth, whether they are a view of their parent from another side, and whether they
 * close a cycle.
 */
export class Measure {
  /** The number of calls examined. */
  work = 0;

  /** Measures a call and its descendants, at most `most` calls. Returns whether it measured all. */
  below(record: CallRecord, most = Infinity): boolean {
    const open = [record];
    let left = most;
    for (let next = open.pop(); next; next = open.pop()) {
      if (left-- <= 0) return false;
      this.#one(next);
      for (const child of next.children) open.push(child);
    }
    return true;
  }

  #one(record: CallRecord): void {
    this.work++;
    const { parent, call } = record;
    const carried = carriedDepth(record);
    record.isView = parent !== undefined && isSameCall(record, parent, carried);
    const enters = !record.isView && !call.back;
    const step = enters && !isPassedOn(record, carried) ? 1 : 0;
    record.seenDepth = parent && parent.depth + step;
    record.depth = carried ?? record.seenDepth ?? 0;
    record.entered = enters ? this.#findEntered(record) : undefined;
  }

  /** The nearest ancestor that is a call to the same agent. */
  #findEntered(record: CallRecord): CallRecord | undefined {
    let left = MAX_ABOVE;
    for (let at = record.parent; at && left > 0; at = at.parent, left--) {
      this.work++;
      if (at.call.agent === record.call.agent && !at.isView && !at.call.back) return at;
    }
    return undefined;
  }
}

/** The depth in a call's own trace names. */
export function carriedDepth({ call: { names = [] } }: CallRecord): number | undefined {
  return names.find(name => name.depth !== undefined)?.depth;
}

/** True for a call that a bridge makes for its caller: it passes on the depth. */
function isPassedOn({ call, parent, parentage }: CallRecord, carried: number | undefined): boolean {
  const isOwn = parentage === 'named' && call.seen === undefined && call.reported !== true;
  return isOwn && parent?.call.seen === 'between' && carried === parent.depth;
}

/** True for a call that is its parent, observed from another side. */
function isSameCall(
  { call, parentage }: CallRecord,
  parent: CallRecord,
  carried: number | undefined,
): boolean {
  if (parentage !== 'named' || call.agent !== parent.call.agent || call.back) return false;
  if (carried !== undefined && carried > parent.depth) return false;
  return call.reported === true || (call.seen !== undefined && call.seen !== parent.call.seen);
}
