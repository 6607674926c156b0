import type { ReplyParts, TracePart } from '../../../../protocols/reply-parts/part.ts';
import type { TraceCall, TraceModel } from '../model.ts';
import { mayHaveParts } from '../followed-parts.ts';

/** A row: a call or a part of its reply. `level` is the number of rows above it in the tree. */
export interface ListedRow {
  readonly call: TraceCall;
  readonly part?: TracePart;
  readonly level: number;
}

/** Returns the known parts of a call's reply; undefined if there are none yet. */
type FindParts = (call: string) => ReplyParts | undefined;

/** A part with more children than this is initially collapsed. */
const MAX_OPENED = 20;

/** The visible rows of the tree from top to bottom. Parts are listed between the calls, ordered by time. */
export class RowList {
  readonly #findParts: FindParts;
  readonly #folded = new Set<string>();
  /** Calls whose parts are shown. */
  readonly #opened = new Set<string>();
  /** Parts whose expansion differs from the initial one, by call and part. */
  readonly #turned = new Set<string>();
  /** The call of each row; for a part, the call of its reply. */
  #calls: TraceCall[] = [];
  /** The parts among the rows, by row index. */
  #parts = new Map<number, TracePart>();
  /** Levels by row index, with spare capacity for new rows. */
  #levels = new Int32Array(0);
  /** The `moves` of the model at the last listing. */
  #moves = -1;
  #work = 0;

  constructor(findParts: FindParts) {
    this.#findParts = findParts;
  }

  get length(): number {
    return this.#calls.length;
  }

  /** The number of items visited to list rows; tests check that it only grows with new items. */
  get work(): number {
    return this.#work;
  }

  /** Calls whose parts are shown. */
  get opened(): ReadonlySet<string> {
    return this.#opened;
  }

  /** The row at an index; undefined if there is none. */
  at(index: number): ListedRow | undefined {
    const call = this.#calls[index];
    const part = this.#parts.get(index);
    return call && { call, level: this.#levels[index] ?? 0, ...(part ? { part } : {}) };
  }

  /** The parent row of the row at an index; undefined at the top. Cost: O(rows between them). */
  above(index: number): ListedRow | undefined {
    const level = this.#levels[index] ?? 0;
    for (let at = index - 1; at >= 0 && level > 0; at--)
      if ((this.#levels[at] ?? 0) < level) return this.at(at);
    return undefined;
  }

  /** The index of a call or of a part of it; -1 if it is not listed or collapsed. Cost: O(rows before it). */
  indexOf(call: TraceCall | undefined, part = ''): number {
    if (!call) return -1;
    if (part === '') return this.#calls.indexOf(call);
    for (const [index, each] of this.#parts)
      if (each.id === part && this.#calls[index] === call) return index;
    return -1;
  }

  /** True if a row has children, visible or not. */
  hasBelow({ call, part }: Omit<ListedRow, 'level'>): boolean {
    if (part) return part.children.length > 0;
    return call.children.length > 0 || this.hasParts(call);
  }

  /** True if the reply of a call has parts, or may have them as long as they are unknown. */
  hasParts(call: TraceCall): boolean {
    if (!mayHaveParts(call)) return false;
    const reported = this.#findParts(call.state.id);
    return reported === undefined || reported.parts.length > 0;
  }

  isFolded({ call, part }: Omit<ListedRow, 'level'>): boolean {
    if (part) return isFoldedAtFirst(part) !== this.#turned.has(keyOf(call, part));
    return call.children.length > 0 ? this.#folded.has(call.state.id) : !this.#opened.has(call.state.id);
  }

  /**
   * Toggles the visibility of a row's children: the calls below a call, or the parts of a call that has none.
   * Returns true if anything changed.
   */
  toggle(row: Omit<ListedRow, 'level'>): boolean {
    const { call, part } = row;
    if (!this.hasBelow(row)) return false;
    if (part) turn(this.#turned, keyOf(call, part));
    else if (call.children.length > 0) turn(this.#folded, call.state.id);
    else turn(this.#opened, call.state.id);
    return true;
  }

  /** Toggles the parts of a call, whatever else is below it. Returns true if anything changed. */
  toggleParts(call: TraceCall): boolean {
    const { id } = call.state;
    if (!this.hasParts(call)) return false;
    const isHidden = this.#folded.delete(id);
    if (!isHidden || !this.#opened.has(id)) turn(this.#opened, id);
    return true;
  }

  /** Expands all calls below a call at any depth. Returns true if anything changed. */
  unfoldAll(call: TraceCall): boolean {
    if (this.#folded.size === 0) return false;
    let isChanged = false;
    const open = [call];
    for (let next = open.pop(); next; next = open.pop()) {
      if (this.#folded.delete(next.state.id)) isChanged = true;
      for (const child of next.children) open.push(child);
    }
    return isChanged;
  }

  /** Expands all ancestors of a call. Returns true if anything changed. */
  reveal(model: TraceModel, call: TraceCall): boolean {
    const above = this.#folded.size === 0 ? [] : model.ancestors(call);
    return above.filter(each => this.#folded.delete(each.state.id)).length > 0;
  }

  /** The nearest visible call: the call itself, or its topmost collapsed ancestor. */
  shownFor(model: TraceModel, call: TraceCall): TraceCall {
    const above = this.#folded.size === 0 ? [] : model.ancestors(call);
    return above.findLast(each => this.#folded.has(each.state.id)) ?? call;
  }

  /** Lists all rows of a trace. Cost: O(rows). */
  list(model: TraceModel): void {
    this.#moves = model.moves;
    this.#calls = [];
    this.#parts = new Map();
    this.#levels = new Int32Array(model.size + this.#countParts());
    this.#walk({ open: [model.roots], listed: [0] });
  }

  /**
   * Appends the calls that come after the last row. Returns false if calls were also inserted between rows, or if rows
   * are collapsed or expanded; then all rows must be listed again. Cost: O(new rows + ancestors of the last row).
   */
  append(model: TraceModel): boolean {
    const last = this.#calls.at(-1);
    if (!last || this.#moves !== model.moves || this.#folded.size + this.#opened.size > 0) return false;
    const open: (readonly TraceCall[])[] = [];
    const listed: number[] = [];
    let items = model.roots;
    for (const call of [last, ...model.ancestors(last)].reverse()) {
      open.push(items);
      listed.push(items.lastIndexOf(call) + 1);
      items = call.children;
    }
    this.#walk({ open: [...open, items], listed: [...listed, 0] });
    return this.#calls.length === model.size;
  }

  /** Lists the remaining items, those of the deepest level first. */
  #walk({ open, listed }: Walk): void {
    const owners: (TraceCall | undefined)[] = [];
    for (let level = open.length - 1; level >= 0;) {
      const at = listed[level] ?? 0;
      const item = open[level]?.[at];
      if (!item) {
        level--;
        continue;
      }
      listed[level] = at + 1;
      this.#work++;
      const isCall = 'state' in item;
      const call = isCall ? item : owners[level];
      if (!call) continue;
      if (!isCall) this.#parts.set(this.#calls.length, item);
      this.#add(call, level);
      const below = isCall ? this.#itemsBelow(item) : this.#partsBelow(call, item);
      if (below.length === 0) continue;
      level++;
      open[level] = below;
      listed[level] = 0;
      owners[level] = call;
    }
  }

  #add(call: TraceCall, level: number): void {
    if (this.#calls.length === this.#levels.length) {
      const levels = new Int32Array(Math.max(64, 2 * this.#levels.length));
      levels.set(this.#levels);
      this.#levels = levels;
    }
    this.#levels[this.#calls.length] = level;
    this.#calls.push(call);
  }

  #itemsBelow(call: TraceCall): readonly Item[] {
    const { id } = call.state;
    if (this.#folded.size > 0 && call.children.length > 0 && this.#folded.has(id)) return [];
    if (this.#opened.size === 0 || !this.#opened.has(id)) return call.children;
    const parts = this.#findParts(id)?.parts ?? [];
    return mergeByTime(parts, call.children);
  }

  #partsBelow(call: TraceCall, part: TracePart): readonly Item[] {
    return part.children.length > 0 && !this.isFolded({ call, part }) ? part.children : [];
  }

  #countParts(): number {
    let count = 0;
    for (const call of this.#opened) count += countAll(this.#findParts(call)?.parts ?? []);
    return count;
  }
}

type Item = TraceCall | TracePart;

/** The state of listing: the items of each level, and how many of them are already listed. */
interface Walk {
  readonly open: (readonly Item[])[];
  readonly listed: number[];
}

function keyOf({ state }: TraceCall, { id }: TracePart): string {
  return `${state.id} ${id}`;
}

/** Messages from before the request was sent are rarely of interest. */
function isFoldedAtFirst({ kind, children }: TracePart): boolean {
  return kind === 'exchange' || children.length > MAX_OPENED;
}

function turn(set: Set<string>, key: string): void {
  if (!set.delete(key)) set.add(key);
}

function countAll(parts: readonly TracePart[]): number {
  return parts.reduce((sum, { children }) => sum + countAll(children), parts.length);
}

/** Merges parts and calls, which are each sorted, by start time. */
function mergeByTime(parts: readonly TracePart[], calls: readonly TraceCall[]): readonly Item[] {
  const merged: Item[] = [];
  let at = 0;
  for (const part of parts) {
    for (let call = calls[at]; call && call.state.at < part.at; call = calls[++at]) merged.push(call);
    merged.push(part);
  }
  return [...merged, ...calls.slice(at)];
}
