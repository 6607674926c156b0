import type { ReplyParts, TracePart } from '../../../../protocols/reply-parts/part.ts';
import { mayHaveParts, type TraceCall, type TraceModel } from '../model.ts';

/** A row: a call or a part of its reply. `level` is the number of rows above it in the tree. */
export interface ListedRow {
  readonly call: TraceCall;
  readonly part?: TracePart | undefined;
  readonly level: number;
}

type Row = Omit<ListedRow, 'level'>;

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
  #rows: readonly ListedRow[] = [];

  constructor(findParts: FindParts) {
    this.#findParts = findParts;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Calls whose parts are shown. */
  get opened(): ReadonlySet<string> {
    return this.#opened;
  }

  /** The row at an index; undefined if there is none. */
  at(index: number): ListedRow | undefined {
    return this.#rows[index];
  }

  /** The parent row of the row at an index; undefined at the top. Cost: O(rows between them). */
  above(index: number): ListedRow | undefined {
    const level = this.#rows[index]?.level ?? 0;
    return this.#rows.slice(0, Math.max(0, index)).findLast(row => row.level < level);
  }

  /** The index of a call or of a part of it; -1 if it is not listed or collapsed. Cost: O(rows before it). */
  indexOf(call: TraceCall | undefined, part = ''): number {
    return call ? this.#rows.findIndex(row => row.call === call && (row.part?.id ?? '') === part) : -1;
  }

  /** True if a row has children, visible or not. */
  hasBelow({ call, part }: Row): boolean {
    if (part) return part.children.length > 0;
    return call.children.length > 0 || this.hasParts(call);
  }

  /** True if the reply of a call has parts, or may have them as long as they are unknown. */
  hasParts(call: TraceCall): boolean {
    if (!mayHaveParts(call)) return false;
    const reported = this.#findParts(call.state.id);
    return reported === undefined || reported.parts.length > 0;
  }

  isFolded({ call, part }: Row): boolean {
    if (part) return isFoldedAtFirst(part) !== this.#turned.has(keyOf(call, part));
    return call.children.length > 0 ? this.#folded.has(call.state.id) : !this.#opened.has(call.state.id);
  }

  /**
   * Toggles the visibility of a row's children: the calls below a call, or the parts of a call that has none.
   * Returns true if anything changed.
   */
  toggle(row: Row): boolean {
    const { call, part } = row;
    if (!this.hasBelow(row)) return false;
    if (part) turn(this.#turned, keyOf(call, part));
    else turn(call.children.length > 0 ? this.#folded : this.#opened, call.state.id);
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
    let isChanged = false;
    const open = this.#folded.size === 0 ? [] : [call];
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

  /** Lists all rows of a trace, without recursion because a trace may be very deep. Cost: O(rows). */
  list(model: TraceModel): void {
    const rows: ListedRow[] = [];
    const open: ListedRow[] = [];
    const push = (items: readonly Row[], level: number): void => {
      for (let at = items.length - 1; at >= 0; at--) {
        const item = items[at];
        if (item) open.push({ call: item.call, part: item.part, level });
      }
    };
    push(model.roots.map(rowOf), 0);
    for (let row = open.pop(); row; row = open.pop()) {
      rows.push(row);
      push(this.#listBelow(row), row.level + 1);
    }
    this.#rows = rows;
  }

  #listBelow({ call, part }: Row): readonly Row[] {
    if (part) return this.isFolded({ call, part }) ? [] : part.children.map(child => ({ call, part: child }));
    const { id } = call.state;
    if (call.children.length > 0 && this.#folded.has(id)) return [];
    const parts = this.#opened.has(id) ? (this.#findParts(id)?.parts ?? []) : [];
    const rows = [...parts.map(each => ({ call, part: each })), ...call.children.map(rowOf)];
    return parts.length === 0 ? rows : rows.sort((one, other) => startOf(one) - startOf(other));
  }
}

function rowOf(call: TraceCall): Row {
  return { call };
}

function startOf({ call, part }: Row): number {
  return part?.at ?? call.state.at;
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
