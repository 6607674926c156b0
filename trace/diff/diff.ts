import type { CallNode } from '../fold/tree.ts';

/** The content of a call, as texts that are equal for equal contents (`comparableText`, or a hash of it). */
export interface CallContent {
  readonly input: string;
  readonly output: string;
}

/** One of the two traces that are compared. */
export interface DiffSide {
  readonly roots: readonly CallNode[];
  content(call: CallNode): CallContent;
}

/** A difference between a call and its counterpart. Times, ids and trace names are ignored. */
export type CallChange = 'input' | 'output' | 'status' | 'moved';

/** A call of one trace, with its counterpart in the other one, if any. */
export interface CallDiff {
  readonly before: CallNode | undefined;
  readonly after: CallNode | undefined;
  readonly changes: readonly CallChange[];
  /** In the order of the second trace; calls of the first one alone are at their old positions. */
  readonly children: readonly CallDiff[];
}

/** The difference of two traces. */
export interface TraceDiff {
  readonly roots: readonly CallDiff[];
  /** The number of calls by kind of difference. */
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
 * Compares two traces by their structure. The children of two matching calls are matched by agent, protocol,
 * title and input, then without the input, each to the next remaining one of its key. Matches in a different
 * order are moved. Takes n log n steps for n calls; without recursion, so that chains may have any length.
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

/** The kind of a call's difference. */
export function kindOf({ before, after, changes }: CallDiff): keyof TraceDiff['counts'] {
  if (!before) return 'added';
  if (!after) return 'removed';
  return changes.length > 0 ? 'changed' : 'same';
}

/** True if the traces are the same. */
export function isSame({ counts }: TraceDiff): boolean {
  return counts.changed + counts.added + counts.removed === 0;
}

interface Pair {
  readonly before: CallNode | undefined;
  readonly after: CallNode | undefined;
  readonly isMoved: boolean;
}

/** Matches the children of one call; a call without a counterpart is a pair with one member. */
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

/** Sorts pairs by the second trace; a removed call follows its predecessor in the first trace. */
function putInOrder(
  ours: readonly CallNode[],
  theirs: readonly CallNode[],
  matched: ReadonlyMap<CallNode, number>,
): readonly Pair[] {
  const stored = new Set(longestRise(ours.flatMap(call => matched.get(call) ?? [])));
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
      return [{ before: own, after: call, isMoved: own !== undefined && !stored.has(at) }, ...goneAt(at)];
    }),
  ];
}

/** The longest increasing subsequence of distinct numbers. */
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
