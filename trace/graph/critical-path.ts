/** Reads a tree of calls. Times are milliseconds on any clock. */
export interface CallTimes<Call> {
  at(call: Call): number;
  /** Never before `at`. */
  until(call: Call): number;
  children(call: Call): readonly Call[];
}

/** A period in which the trace waited for one call itself, not for its children. */
export interface PathSegment<Call> {
  readonly call: Call;
  readonly from: number;
  readonly to: number;
}

/**
 * The critical path of a trace: for each moment the call that everything else waited for, in the order of
 * time. It is found backwards from the end: a call waited for the child that ended last; before that child
 * began, it waited for the one that had ended last by then. A child that outlasts its parent counts only up
 * to the parent's end. Visits all calls, and sorts the children of each once.
 */
export function findCriticalPath<Call>(
  roots: readonly Call[],
  times: CallTimes<Call>,
): readonly PathSegment<Call>[] {
  const found: PathSegment<Call>[] = [];
  const add = (call: Call | undefined, from: number, to: number): void => {
    if (call !== undefined && to > from) found.push({ call, from, to });
  };
  const end = roots.reduce((most, root) => Math.max(most, times.until(root)), -Infinity);
  const open = [new Stretch<Call>(undefined, -Infinity, end, byEnd(roots, times))];
  for (let stretch = open.at(-1); stretch; stretch = open.at(-1)) {
    const child = stretch.next(times);
    if (!child) {
      add(stretch.call, stretch.from, stretch.to);
      open.pop();
      continue;
    }
    add(stretch.call, child.to, stretch.to);
    stretch.to = child.from;
    open.push(new Stretch(child.call, child.from, child.to, byEnd(times.children(child.call), times)));
  }
  return found.reverse();
}

/** A call whose time between `from` and `to` is not yet attributed. */
class Stretch<Call> {
  readonly call: Call | undefined;
  readonly from: number;
  to: number;
  readonly #children: readonly Call[];
  readonly #end: number;
  #next = 0;

  constructor(call: Call | undefined, from: number, to: number, children: readonly Call[]) {
    this.call = call;
    this.from = from;
    this.to = to;
    this.#end = to;
    this.#children = children;
  }

  /** The child that ended last before `to`, clipped to this period. Visits each child once. */
  next(times: CallTimes<Call>): PathSegment<Call> | undefined {
    while (this.#next < this.#children.length) {
      const call = this.#children[this.#next++];
      if (call === undefined) continue;
      const from = Math.max(times.at(call), this.from);
      const to = Math.min(times.until(call), this.#end);
      if (to <= this.to && from < to) return { call, from, to };
    }
    return undefined;
  }
}

/** Sorts by end, the last one first; for equal ends, the earliest beginning first. */
function byEnd<Call>(calls: readonly Call[], times: CallTimes<Call>): readonly Call[] {
  if (calls.length < 2) return calls;
  return [...calls].sort(
    (one, other) => times.until(other) - times.until(one) || times.at(one) - times.at(other),
  );
}
