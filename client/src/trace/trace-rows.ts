import type { TracePart } from '../../../protocols/reply-parts/part.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import type { CallRemark } from './call-item.ts';

/** So many calls stand side by side; those after them stand in rows of so many each. */
const PAGE = 1000;

/** The row of a trace that began with more than one call, known by one of these. */
interface TopRow {
  readonly kind: 'trace';
  readonly call: string;
}

/** The row of a call. */
interface CallRow {
  readonly kind: 'call';
  readonly call: string;
  /** The call above it when the row was given out. */
  above: string | undefined;
  /** True once it was shown with what stands below it in sight. */
  isOpened: boolean;
}

/** The row of the calls from a number on, below another row. */
interface PageRow {
  readonly kind: 'page';
  readonly below: TopRow | CallRow;
  readonly from: number;
}

/** A row that has calls below it. */
export type ParentRow = TopRow | CallRow;

/** A row of the Traces view, by what it shows and not by how that stands. */
export type TraceRow =
  | TopRow
  | CallRow
  | PageRow
  /** What came back for a call, which is read when it is opened. */
  | { readonly kind: 'reply'; readonly call: string }
  /** A part of it. */
  | { readonly kind: 'part'; readonly call: string; readonly part: TracePart }
  | { readonly kind: 'remark'; readonly call: string; readonly index: number; readonly remark: CallRemark };

/**
 * The rows that the view was given: the same object for a call as long as that is kept, so that selection and
 * expansion stay where they are while events come in and old traces go.
 */
export class TraceRows {
  readonly #traces = new Map<string, TopRow>();
  readonly #calls = new Map<string, CallRow>();
  readonly #pages = new Map<ParentRow, Map<number, PageRow>>();

  /** The row at the top for a trace: that of its first call where it began with one alone. */
  ofTree({ roots }: TraceTree): ParentRow | undefined {
    const [first, second] = roots;
    if (!first) return undefined;
    if (!second) return this.ofCall(first);
    const known = roots.find(root => this.#traces.has(root.call.call)) ?? first;
    const { call } = known.call;
    const row: TopRow = this.#traces.get(call) ?? { kind: 'trace', call };
    this.#traces.set(call, row);
    return row;
  }

  /** The row at the top for a trace where the view was given one; undefined where it was not. */
  findTop({ roots }: TraceTree): ParentRow | undefined {
    const [first, second] = roots;
    const calls = second ? this.#traces : this.#calls;
    const known = roots.find(root => calls.has(root.call.call));
    return first && known && calls.get(known.call.call);
  }

  /** The row of a call. */
  ofCall({ call: { call }, parent }: CallNode): CallRow {
    const row = this.#calls.get(call) ?? { kind: 'call', call, above: undefined, isOpened: false };
    row.above = parent?.call.call;
    this.#calls.set(call, row);
    return row;
  }

  /** The rows of calls below one: the first of them, then a row for each thousand more. */
  ofCalls(calls: readonly CallNode[], below: ParentRow): readonly TraceRow[] {
    const rows: TraceRow[] = calls.slice(0, PAGE).map(node => this.ofCall(node));
    for (let from = PAGE; from < calls.length; from += PAGE) rows.push(this.#pageOf(below, from));
    return rows;
  }

  /** The rows of a page. */
  ofPage(calls: readonly CallNode[], { from }: PageRow): readonly TraceRow[] {
    return calls.slice(from, from + PAGE).map(node => this.ofCall(node));
  }

  /** The row right above the call with a number: that of its page, or the one that all stand below. */
  above(index: number, below: ParentRow): TraceRow {
    return index < PAGE ? below : this.#pageOf(below, Math.floor(index / PAGE) * PAGE);
  }

  /** The row of a call that the view was given, or undefined. */
  find(call: string): CallRow | undefined {
    return this.#calls.get(call);
  }

  /** Forgets the rows of calls that are no longer kept. */
  sweep(isKept: (call: string) => boolean): void {
    for (const rows of [this.#traces, this.#calls])
      for (const [call, row] of rows)
        if (!isKept(call)) {
          rows.delete(call);
          this.#pages.delete(row);
        }
  }

  #pageOf(below: ParentRow, from: number): PageRow {
    const pages = this.#pages.get(below) ?? new Map<number, PageRow>();
    this.#pages.set(below, pages);
    const row: PageRow = pages.get(from) ?? { kind: 'page', below, from };
    pages.set(from, row);
    return row;
  }
}

/** What the row of a page says: `1,000 more` and which. */
export function describePage(from: number, count: number): { readonly first: number; readonly last: number } {
  return { first: from + 1, last: Math.min(from + PAGE, count) };
}
