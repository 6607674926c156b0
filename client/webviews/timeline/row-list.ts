import type { ReplyParts, TracePart } from '../../../protocols/reply-parts/part.ts';
import type { TraceCall, TraceModel } from './model.ts';
import { mayHaveParts } from './told-parts.ts';

/** A row: a call, or a part of its reply; and how many rows above it hold it. */
export interface ListedRow {
  readonly call: TraceCall;
  readonly part?: TracePart;
  readonly level: number;
}

/** What was told of the parts of a call; undefined where nothing was. */
type FindParts = (call: string) => ReplyParts | undefined;

/** More parts than these below another one are folded away until somebody asks. */
const MOST_OPENED = 20;

/** The rows of a tree from top to bottom, without those that are folded away. Parts stand between the calls, by their time. */
export class RowList {
  readonly #findParts: FindParts;
  readonly #folded = new Set<string>();
  /** Calls of which the parts are shown. */
  readonly #opened = new Set<string>();
  /** Parts that are not as they were at first, by call and part. */
  readonly #turned = new Set<string>();
  /** The call of each row: that of a part is the one whose reply it is of. */
  #calls: TraceCall[] = [];
  /** The parts among the rows, by their places. */
  #parts = new Map<number, TracePart>();
  /** With room for rows to come. */
  #levels = new Int32Array(0);
  /** The moves of the trace that was listed. */
  #moves = -1;
  #work = 0;

  constructor(findParts: FindParts) {
    this.#findParts = findParts;
  }

  get length(): number {
    return this.#calls.length;
  }

  /** How many items were looked at to list rows: tests hold it to what is new. */
  get work(): number {
    return this.#work;
  }

  /** Calls of which the parts are shown. */
  get opened(): ReadonlySet<string> {
    return this.#opened;
  }

  /** The row at a place, or undefined. */
  at(index: number): ListedRow | undefined {
    const call = this.#calls[index];
    const part = this.#parts.get(index);
    return call && { call, level: this.#levels[index] ?? 0, ...(part ? { part } : {}) };
  }

  /** The row that holds the one at a place; undefined at the top. Work: the rows between them. */
  above(index: number): ListedRow | undefined {
    const level = this.#levels[index] ?? 0;
    for (let at = index - 1; at >= 0 && level > 0; at--)
      if ((this.#levels[at] ?? 0) < level) return this.at(at);
    return undefined;
  }

  /** Where a call stands, or a part of it; -1 where it is not there or folded away. Work: the rows before it. */
  indexOf(call: TraceCall | undefined, part = ''): number {
    if (!call) return -1;
    if (part === '') return this.#calls.indexOf(call);
    for (const [index, each] of this.#parts)
      if (each.id === part && this.#calls[index] === call) return index;
    return -1;
  }

  /** True for a row with something below it, shown or not. */
  hasBelow({ call, part }: Omit<ListedRow, 'level'>): boolean {
    if (part) return part.children.length > 0;
    return call.children.length > 0 || this.hasParts(call);
  }

  /** True for a call that came back in parts, as far as that is known. */
  hasParts(call: TraceCall): boolean {
    if (!mayHaveParts(call)) return false;
    const told = this.#findParts(call.state.id);
    return told === undefined || told.parts.length > 0;
  }

  isFolded({ call, part }: Omit<ListedRow, 'level'>): boolean {
    if (part) return isFoldedAtFirst(part) !== this.#turned.has(keyOf(call, part));
    return call.children.length > 0 ? this.#folded.has(call.state.id) : !this.#opened.has(call.state.id);
  }

  /** Hides or shows what is below a row: the calls that a call led to, the parts of one that led to none. Answers whether that changed anything. */
  toggle(row: Omit<ListedRow, 'level'>): boolean {
    const { call, part } = row;
    if (!this.hasBelow(row)) return false;
    if (part) turn(this.#turned, keyOf(call, part));
    else if (call.children.length > 0) turn(this.#folded, call.state.id);
    else turn(this.#opened, call.state.id);
    return true;
  }

  /** Hides or shows the parts of a call, whatever else is below it. Answers whether that changed anything. */
  toggleParts(call: TraceCall): boolean {
    const { id } = call.state;
    if (!this.hasParts(call)) return false;
    const isHidden = this.#folded.delete(id);
    if (!isHidden || !this.#opened.has(id)) turn(this.#opened, id);
    return true;
  }

  /** Shows all calls that a call led to, however far down. Answers whether that changed anything. */
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

  /** Shows a call, whatever is folded above it. Answers whether that changed anything. */
  reveal(model: TraceModel, call: TraceCall): boolean {
    const above = this.#folded.size === 0 ? [] : model.ancestors(call);
    return above.filter(each => this.#folded.delete(each.state.id)).length > 0;
  }

  /** The nearest call that is not folded away: itself, or the topmost folded one above it. */
  shownFor(model: TraceModel, call: TraceCall): TraceCall {
    const above = this.#folded.size === 0 ? [] : model.ancestors(call);
    return above.findLast(each => this.#folded.has(each.state.id)) ?? call;
  }

  /** Lists the rows of a trace anew. Work: the rows that come of it. */
  list(model: TraceModel): void {
    this.#moves = model.moves;
    this.#calls = [];
    this.#parts = new Map();
    this.#levels = new Int32Array(model.size + this.#countParts());
    this.#walk({ open: [model.roots], listed: [0] });
  }

  /**
   * Lists the calls that came behind the last row. Answers whether that is all that is new; where calls came between the
   * rows too, or something is folded or opened, the rows are to be listed anew. Work: the rows that come of it, and those
   * above the last one.
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

  /** Lists what is left of items, those of the deepest level first. */
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

/** What is being listed: the items of each level, and how many of them are listed. */
interface Walk {
  readonly open: (readonly Item[])[];
  readonly listed: number[];
}

function keyOf({ state }: TraceCall, { id }: TracePart): string {
  return `${state.id} ${id}`;
}

/** What came before the request was sent is nothing that anybody asked for. */
function isFoldedAtFirst({ kind, children }: TracePart): boolean {
  return kind === 'exchange' || children.length > MOST_OPENED;
}

function turn(set: Set<string>, key: string): void {
  if (!set.delete(key)) set.add(key);
}

function countAll(parts: readonly TracePart[]): number {
  return parts.reduce((sum, { children }) => sum + countAll(children), parts.length);
}

/** Both in their own order, by when they began. */
function mergeByTime(parts: readonly TracePart[], calls: readonly TraceCall[]): readonly Item[] {
  const merged: Item[] = [];
  let at = 0;
  for (const part of parts) {
    for (let call = calls[at]; call && call.state.at < part.at; call = calls[++at]) merged.push(call);
    merged.push(part);
  }
  return [...merged, ...calls.slice(at)];
}
