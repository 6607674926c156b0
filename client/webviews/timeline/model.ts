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
  #roots: readonly Entry[] = [];
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
    return this.#roots;
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
    let isMoved = false;
    this.#extent = undefined;
    for (const id of gone) {
      const entry = this.#calls.get(id);
      if (!entry) continue;
      this.#calls.delete(id);
      changed.add(entry);
      isMoved = true;
    }
    for (const state of states) {
      const entry = this.#calls.get(state.id) ?? new Entry(state);
      const isNew = !this.#calls.has(state.id);
      isMoved ||= isNew || entry.state.at !== state.at || entry.state.parent !== state.parent;
      this.#calls.set(state.id, entry);
      entry.state = state;
      changed.add(entry);
    }
    if (isMoved) this.#arrange(changed);
    return changed;
  }

  clear(): void {
    this.#calls.clear();
    this.#roots = [];
    this.path = new Map();
    this.#shape++;
    this.#extent = undefined;
  }

  /** Arranges all calls in a tree, and adds those that moved to `changed`. Cost: O(calls). */
  #arrange(changed: Set<TraceCall>): void {
    this.#shape++;
    const ordered = [...this.#calls.values()].sort(compareCalls);
    const before = new Map(ordered.map(entry => [entry, entry.parent]));
    for (const entry of ordered) {
      entry.parent = this.#calls.get(entry.state.parent ?? '');
      entry.children = [];
    }
    const placed = new Set<Entry>();
    // While a trace arrives in parts, calls may be in a circle. The first of them is then at the top.
    for (const entry of ordered) {
      const path: Entry[] = [];
      for (let at: Entry | undefined = entry; at && !placed.has(at); at = at.parent) {
        placed.add(at);
        path.push(at);
      }
      const start = path.findIndex(each => each === path.at(-1)?.parent);
      const [first] = start < 0 ? [] : path.slice(start).sort(compareCalls);
      if (first) first.parent = undefined;
    }
    for (const entry of ordered) entry.parent?.children.push(entry);
    this.#roots = ordered.filter(entry => !entry.parent);
    for (const entry of ordered) if (before.get(entry) !== entry.parent) changed.add(entry);
  }

  #measured(): Extent {
    if (this.#extent) return this.#extent;
    let [start, end, open] = [Infinity, -Infinity, 0];
    for (const { state } of this.#calls.values()) {
      start = Math.min(start, state.at);
      end = Math.max(end, knownEnd(state));
      if (state.until === undefined && state.status === 'open') open++;
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

class Entry implements TraceCall {
  state: CallState;
  parent: Entry | undefined;
  children: Entry[] = [];

  constructor(state: CallState) {
    this.state = state;
  }
}

/** True for a call whose reply may have parts. */
export function mayHaveParts({ state }: TraceCall): boolean {
  return (state.bytesIn ?? 0) > 0 && state.protocol !== 'other';
}

function compareCalls({ state: a }: TraceCall, { state: b }: TraceCall): number {
  return a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
