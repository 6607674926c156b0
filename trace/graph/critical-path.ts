/** How a tree of calls is read. Times are milliseconds on any clock. */
export interface CallTimes<Call> {
  at(call: Call): number;
  /** Never before `at`. */
  until(call: Call): number;
  children(call: Call): readonly Call[];
}

/** A stretch of time in which the trace waited for one call itself, and not for what it led to. */
export interface PathSegment<Call> {
  readonly call: Call;
  readonly from: number;
  readonly to: number;
}

/**
 * The critical path of a trace: for each moment the call that everything else waited for, by the time. Read backwards from
 * the end: of what a call led to, the one that ended last is what it waited for; before that one began, it waited for the one
 * that had ended last by then. What runs on after the call that led to it counts only up to the end of that. Work: all calls,
 * each put in order among its siblings once.
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

/** A call of which the time between `from` and `to` is not given to anyone yet. */
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

  /** The child that ended last before `to`, as far as it lies within. Each child is looked at once. */
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

/** The calls that ended last come first; of two that ended together the one that began first, as it was waited for longer. */
function byEnd<Call>(calls: readonly Call[], times: CallTimes<Call>): readonly Call[] {
  if (calls.length < 2) return calls;
  return [...calls].sort(
    (one, other) => times.until(other) - times.until(one) || times.at(one) - times.at(other),
  );
}
