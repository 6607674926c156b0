import { knownEnd, type CallState } from '../../../trace/fold/call-state.ts';
import type { PathSegment } from '../../../trace/graph/critical-path.ts';

/** A call of the shown trace. The object stays the same while the call exists; its state changes. */
export interface TraceCall {
  readonly state: CallState;
  readonly parent: TraceCall | undefined;
  /** Ordered by their time, then by their id. */
  readonly children: readonly TraceCall[];
}

/** The segments of each call on the critical path of its trace. */
export type CriticalPath = ReadonlyMap<TraceCall, readonly PathSegment<TraceCall>[]>;

/**
 * The shown trace: the states of its calls, as sent by the extension, arranged in a tree. A call whose parent
 * has not arrived yet is at the top.
 */
export class TraceModel {
  readonly #calls = new Map<string, Entry>();
  /** Calls at the top, including those that wait for their parent. */
  readonly #top = new Entry();
  readonly #waiting = new Map<string, Set<Entry>>();
  #extent: Extent | undefined;
  #shape = 0;
  /** The name of the trace, which identifies it. */
  trace = '';
  /** The maximum number of calls above one before the recursion guard refuses it. */
  depthLimit = 0;
  /** The last computed critical path. With many calls it is updated some time after the last one arrived. */
  path: CriticalPath = new Map();
  /** The end time of open calls in the drawing; undefined ends them with the last known event. */
  now: number | undefined;

  get size(): number {
    return this.#calls.size;
  }

  /** Calls without a parent, ordered by their time, then by their id. */
  get roots(): readonly TraceCall[] {
    return this.#top.children;
  }

  /** Counts the changes of the tree: calls added, removed or moved. */
  get shape(): number {
    return this.#shape;
  }

  find(call: string): TraceCall | undefined {
    return this.#calls.get(call);
  }

  /** All calls, in no order. */
  all(): Iterable<TraceCall> {
    return this.#calls.values();
  }

  /** When the first call began; 0 in an empty trace. */
  get start(): number {
    return this.#measured().start;
  }

  /** The time of the last known event; 0 in an empty trace. */
  get end(): number {
    const { end, open } = this.#measured();
    return open > 0 && this.now !== undefined ? Math.max(end, this.now) : end;
  }

  /** The number of calls that have not ended. */
  get open(): number {
    return this.#measured().open;
  }

  /** The end of a call in the drawing; for an open call it is now. */
  endOf({ state }: TraceCall): number {
    const known = knownEnd(state);
    return state.until === undefined && this.now !== undefined ? Math.max(known, this.now) : known;
  }

  /** The calls above one, the nearest first. */
  ancestors(call: TraceCall): readonly TraceCall[] {
    const found: TraceCall[] = [];
    for (let at = call.parent; at; at = at.parent) found.push(at);
    return found;
  }

  /** Applies new states and removals. Returns the affected calls, including removed ones. */
  take(states: readonly CallState[], gone: readonly string[] = []): ReadonlySet<TraceCall> {
    const changed = new Set<TraceCall>();
    const moved = new Set<Entry>();
    this.#extent = undefined;
    for (const id of gone) this.#remove(id, changed, moved);
    for (const state of states) changed.add(this.#put(state, moved));
    this.#place(moved, changed);
    return changed;
  }

  clear(): void {
    this.#calls.clear();
    this.#waiting.clear();
    this.#top.setChildren([]);
    this.path = new Map();
    this.#shape++;
    this.#extent = undefined;
  }

  #put(state: CallState, moved: Set<Entry>): Entry {
    const known = this.#calls.get(state.id);
    if (!known) {
      const made = new Entry(state);
      this.#calls.set(state.id, made);
      moved.add(made);
      for (const child of this.#waiting.get(state.id) ?? []) moved.add(child);
      this.#waiting.delete(state.id);
      return made;
    }
    const was = known.state;
    known.state = state;
    if (was.at !== state.at || was.parent !== state.parent) moved.add(known);
    return known;
  }

  #remove(id: string, changed: Set<TraceCall>, moved: Set<Entry>): void {
    const entry = this.#calls.get(id);
    if (!entry) return;
    this.#calls.delete(id);
    entry.isGone = true;
    changed.add(entry);
    moved.add(entry);
    for (const child of entry.children) moved.add(child);
  }

  /** Moves calls to their parents. All calls that leave one parent do so in one step. */
  #place(moved: ReadonlySet<Entry>, changed: Set<TraceCall>): void {
    if (moved.size > 0) this.#shape++;
    const left = new Set<Entry>();
    for (const entry of moved) if (entry.place) left.add(entry.place);
    for (const place of left) place.setChildren(place.children.filter(child => !moved.has(child)));
    for (const entry of moved) entry.place = undefined;
    for (const entry of moved) {
      if (entry.isGone) continue;
      changed.add(entry);
      const parent = this.#parentOf(entry);
      (parent ?? this.#top).adopt(entry);
    }
  }

  #parentOf(entry: Entry): Entry | undefined {
    const { parent: id } = entry.state;
    if (id === undefined) return undefined;
    const parent = this.#calls.get(id);
    // While a tree arrives in parts, a changed parent may temporarily form a cycle.
    if (parent && !(entry.children.length > 0 && isWithin(parent, entry))) return parent;
    const waiting = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, waiting.add(entry));
    return undefined;
  }

  #measured(): Extent {
    if (this.#extent) return this.#extent;
    let [start, end, open] = [Infinity, -Infinity, 0];
    for (const { state } of this.#calls.values()) {
      start = Math.min(start, state.at);
      end = Math.max(end, knownEnd(state));
      open += countOpen(state);
    }
    this.#extent = this.#calls.size === 0 ? { start: 0, end: 0, open: 0 } : { start, end, open };
    return this.#extent;
  }
}

interface Extent {
  readonly start: number;
  readonly end: number;
  readonly open: number;
}

/** The state of the top entry, which is not a call. */
const NO_STATE: CallState = { id: '', agent: '', protocol: 'other', title: '', status: 'ok', at: 0 };

class Entry implements TraceCall {
  state: CallState;
  /** The parent entry, or the top. */
  place: Entry | undefined;
  isGone = false;
  #children: Entry[] = [];
  #isSorted = true;

  constructor(state: CallState = NO_STATE) {
    this.state = state;
  }

  get parent(): Entry | undefined {
    return this.place?.state === NO_STATE ? undefined : this.place;
  }

  get children(): readonly Entry[] {
    if (!this.#isSorted) this.#children.sort(compareCalls);
    this.#isSorted = true;
    return this.#children;
  }

  setChildren(children: Entry[]): void {
    this.#children = children;
  }

  adopt(child: Entry): void {
    const last = this.#children.at(-1);
    if (last && compareCalls(last, child) > 0) this.#isSorted = false;
    this.#children.push(child);
    child.place = this;
  }
}

function compareCalls({ state: a }: TraceCall, { state: b }: TraceCall): number {
  return a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function isWithin(call: TraceCall, above: TraceCall): boolean {
  for (let at: TraceCall | undefined = call; at; at = at.parent) if (at === above) return true;
  return false;
}

function countOpen(state: CallState): number {
  return state.until === undefined && state.status === 'open' ? 1 : 0;
}
