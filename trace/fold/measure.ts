import type { CallRecord } from './call-record.ts';

/** So many calls are looked at above one for its agent: a hostile trace costs no more. */
const MOST_ABOVE = 256;

/** Measures calls: how deep they stand, whether they are their caller seen from another side, and whether they close a cycle. */
export class Measure {
  /** Calls that were looked at. */
  work = 0;

  /** Measures a call and what is below it, of at most so many calls. Answers whether it measured all. */
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
    const step = record.isView || call.back ? 0 : 1;
    record.seenDepth = parent && parent.depth + step;
    record.depth = carried ?? record.seenDepth ?? 0;
    record.entered = step === 1 ? this.#findEntered(record) : undefined;
  }

  /** The nearest call above it by which its agent was entered. */
  #findEntered(record: CallRecord): CallRecord | undefined {
    let left = MOST_ABOVE;
    for (let at = record.parent; at && left > 0; at = at.parent, left--) {
      this.work++;
      if (at.call.agent === record.call.agent && !at.isView && !at.call.back) return at;
    }
    return undefined;
  }
}

/** The depth that a call carries itself. */
export function carriedDepth({ call: { names = [] } }: CallRecord): number | undefined {
  return names.find(name => name.depth !== undefined)?.depth;
}

/** True where a call is the one above it, seen from another side. */
function isSameCall(
  { call, parentage }: CallRecord,
  parent: CallRecord,
  carried: number | undefined,
): boolean {
  if (parentage !== 'named' || call.agent !== parent.call.agent || call.back) return false;
  if (carried !== undefined && carried > parent.depth) return false;
  return call.told === true || (call.seen !== undefined && call.seen !== parent.call.seen);
}
