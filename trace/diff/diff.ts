import type { CallNode } from '../fold/tree.ts';

/** What a call said and got, in a form in which equal contents are equal texts (`comparableText`, or a hash of it). */
export interface CallContent {
  readonly input: string;
  readonly output: string;
}

/** One of the two traces that are compared. */
export interface DiffSide {
  readonly roots: readonly CallNode[];
  content(call: CallNode): CallContent;
}

/** What differs between a call and its counterpart. Times, ids and trace names are no differences. */
export type CallChange = 'input' | 'output' | 'status' | 'moved';

/** A call of one trace, with its counterpart in the other one where it has one. */
export interface CallDiff {
  readonly before: CallNode | undefined;
  readonly after: CallNode | undefined;
  readonly changes: readonly CallChange[];
  /** In the order of the second trace; those that are only in the first stand where they stood. */
  readonly children: readonly CallDiff[];
}

/** The difference of two traces. */
export interface TraceDiff {
  readonly roots: readonly CallDiff[];
  /** Calls by what became of them. */
  readonly counts: {
    readonly same: number;
    readonly changed: number;
    readonly added: number;
    readonly removed: number;
  };
}

interface OpenDiff extends CallDiff {
  readonly children: OpenDiff[];
}

/**
 * Compares two traces by their structure: the calls below two calls that belong together are matched by agent, protocol,
 * title and input, then without the input, each to the next of its kind that is left. Those whose order differs from the
 * other trace's are moved. Work: n log n in the number of calls; no recursion, so a chain may be of any length.
 */
export function diffTraces(before: DiffSide, after: DiffSide): TraceDiff {
  const roots: OpenDiff[] = [];
  const open = [{ into: roots, ours: before.roots, theirs: after.roots }];
  const counts = { same: 0, changed: 0, added: 0, removed: 0 };
  for (let next = open.pop(); next; next = open.pop()) {
    for (const pair of matchCalls(next.ours, next.theirs, before, after)) {
      const changes = listChanges(pair, before, after);
      const diff: OpenDiff = { before: pair.before, after: pair.after, changes, children: [] };
      next.into.push(diff);
      counts[kindOf(diff)]++;
      open.push({
        into: diff.children,
        ours: pair.before?.children ?? [],
        theirs: pair.after?.children ?? [],
      });
    }
  }
  return { roots, counts };
}

/** What became of a call. */
export function kindOf({ before, after, changes }: CallDiff): keyof TraceDiff['counts'] {
  if (!before) return 'added';
  if (!after) return 'removed';
  return changes.length > 0 ? 'changed' : 'same';
}

/** True where the traces are the same. */
export function isSame({ counts }: TraceDiff): boolean {
  return counts.changed + counts.added + counts.removed === 0;
}

interface Pair {
  readonly before: CallNode | undefined;
  readonly after: CallNode | undefined;
  readonly isMoved: boolean;
}

/** Pairs calls that stand below the same one; those without a counterpart are pairs of one. */
function matchCalls(
  ours: readonly CallNode[],
  theirs: readonly CallNode[],
  before: DiffSide,
  after: DiffSide,
): readonly Pair[] {
  const matched = new Map<CallNode, number>();
  const taken = new Set<number>();
  const exact = (side: DiffSide) => (call: CallNode) => `${keyOf(call)}\n${side.content(call).input}`;
  for (const [keyOurs, keyTheirs] of [
    [exact(before), exact(after)],
    [keyOf, keyOf],
  ] as const) {
    const left = new Map<string, number[]>();
    for (const [at, call] of theirs.entries()) if (!taken.has(at)) pushTo(left, keyTheirs(call), at);
    for (const places of left.values()) places.reverse();
    for (const call of ours) {
      const at = matched.has(call) ? undefined : left.get(keyOurs(call))?.pop();
      if (at === undefined) continue;
      matched.set(call, at);
      taken.add(at);
    }
  }
  return putInOrder(ours, theirs, matched);
}

function keyOf({ call }: CallNode): string {
  return JSON.stringify([call.agent, call.protocol, call.title]);
}

function pushTo(lists: Map<string, number[]>, key: string, value: number): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The pairs in the order of the second trace; a call that is gone stands behind the one that it stood behind. */
function putInOrder(
  ours: readonly CallNode[],
  theirs: readonly CallNode[],
  matched: ReadonlyMap<CallNode, number>,
): readonly Pair[] {
  const kept = new Set(longestRise(ours.flatMap(call => matched.get(call) ?? [])));
  const partner = new Map<number, CallNode>();
  const goneBehind = new Map<number, CallNode[]>();
  let last = -1;
  for (const call of ours) {
    const at = matched.get(call);
    if (at === undefined) {
      const gone = goneBehind.get(last);
      if (gone) gone.push(call);
      else goneBehind.set(last, [call]);
    } else {
      partner.set(at, call);
      last = at;
    }
  }
  const goneAt = (at: number): readonly Pair[] =>
    (goneBehind.get(at) ?? []).map(call => ({ before: call, after: undefined, isMoved: false }));
  return [
    ...goneAt(-1),
    ...theirs.flatMap((call, at): readonly Pair[] => {
      const own = partner.get(at);
      return [{ before: own, after: call, isMoved: own !== undefined && !kept.has(at) }, ...goneAt(at)];
    }),
  ];
}

/** The longest rising subsequence of numbers that are all different. */
function longestRise(numbers: readonly number[]): readonly number[] {
  const ends: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const number of numbers) {
    let [from, to] = [0, ends.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((ends[middle] ?? 0) < number) from = middle + 1;
      else to = middle;
    }
    previous.set(number, ends[from - 1]);
    ends[from] = number;
  }
  const rise: number[] = [];
  for (let at = ends.at(-1); at !== undefined; at = previous.get(at)) rise.push(at);
  return rise.reverse();
}

function listChanges(
  { before, after, isMoved }: Pair,
  ours: DiffSide,
  theirs: DiffSide,
): readonly CallChange[] {
  if (!before || !after) return [];
  const [one, other] = [ours.content(before), theirs.content(after)];
  const changes: CallChange[] = [];
  if (one.input !== other.input) changes.push('input');
  if (one.output !== other.output) changes.push('output');
  if (before.status !== after.status || before.code !== after.code) changes.push('status');
  if (isMoved) changes.push('moved');
  return changes;
}
