import type { TracePart } from '../../../../../protocols/reply-parts/part.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';
import type { CallRemark } from './call-item.ts';

/** The maximum number of sibling call rows; further calls are grouped in pages of this size. */
const PAGE = 1000;

/** The row of a trace with several root calls, identified by one of them. */
interface TopRow {
  readonly kind: 'trace';
  readonly call: string;
}

interface CallRow {
  readonly kind: 'call';
  readonly call: string;
  /** The parent call when the row was created or updated. */
  above: string | undefined;
  /** True once the row was shown expanded. */
  isOpened: boolean;
}

/** The row of a page of calls, from an index on, below another row. */
interface PageRow {
  readonly kind: 'page';
  readonly below: TopRow | CallRow;
  readonly from: number;
}

/** A row that has calls below it. */
export type ParentRow = TopRow | CallRow;

/** A row of the Traces view. It identifies what is shown, without the current state. */
export type TraceRow =
  | TopRow
  | CallRow
  | PageRow
  /** The reply of a call, which is read when the row is expanded. */
  | { readonly kind: 'reply'; readonly call: string }
  /** A part of a reply. */
  | { readonly kind: 'part'; readonly call: string; readonly part: TracePart }
  | { readonly kind: 'remark'; readonly call: string; readonly index: number; readonly remark: CallRemark };

/**
 * The rows of the view. The same call has the same row object as long as it is stored, so that selection and
 * expansion persist while events arrive and old traces are removed.
 */
export class TraceRows {
  readonly #traces = new Map<string, TopRow>();
  readonly #calls = new Map<string, CallRow>();
  readonly #pages = new Map<ParentRow, Map<number, PageRow>>();

  /** The top row for a trace: the row of its root call if there is only one. */
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

  /** The top row for a trace if it exists already; else undefined. */
  findTop({ roots }: TraceTree): ParentRow | undefined {
    const [first, second] = roots;
    const calls = second ? this.#traces : this.#calls;
    const known = roots.find(root => calls.has(root.call.call));
    return first && known && calls.get(known.call.call);
  }

  ofCall({ call: { call }, parent }: CallNode): CallRow {
    const row = this.#calls.get(call) ?? { kind: 'call', call, above: undefined, isOpened: false };
    row.above = parent?.call.call;
    this.#calls.set(call, row);
    return row;
  }

  /** The rows of calls below a row: the first thousand, then a page row for each further thousand. */
  ofCalls(calls: readonly CallNode[], below: ParentRow): readonly TraceRow[] {
    const rows: TraceRow[] = calls.slice(0, PAGE).map(node => this.ofCall(node));
    for (let from = PAGE; from < calls.length; from += PAGE) rows.push(this.#pageOf(below, from));
    return rows;
  }

  ofPage(calls: readonly CallNode[], { from }: PageRow): readonly TraceRow[] {
    return calls.slice(from, from + PAGE).map(node => this.ofCall(node));
  }

  /** The parent row of the call at an index: its page, or the common parent. */
  above(index: number, below: ParentRow): TraceRow {
    return index < PAGE ? below : this.#pageOf(below, Math.floor(index / PAGE) * PAGE);
  }

  /** The existing row of a call; undefined if there is none. */
  find(call: string): CallRow | undefined {
    return this.#calls.get(call);
  }

  /** Removes the rows of calls that are no longer stored. */
  sweep(isRetained: (call: string) => boolean): void {
    for (const rows of [this.#traces, this.#calls])
      for (const [call, row] of rows)
        if (!isRetained(call)) {
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

/** The numbers of the calls on a page, from 1. */
export function describePage(from: number, count: number): { readonly first: number; readonly last: number } {
  return { first: from + 1, last: Math.min(from + PAGE, count) };
}
