import type { CallNode } from '../../../protocol/src/trace/tree.ts';
import type { CallRemark } from './call-item.ts';

/** The row of a call. */
interface CallRow {
  readonly kind: 'call';
  readonly trace: string;
  readonly call: string;
  readonly parent: string | undefined;
}

/** A row of the Traces view, by what it shows and not by how that stands. */
export type TraceRow =
  | { readonly kind: 'trace'; readonly trace: string }
  | CallRow
  | { readonly kind: 'remark'; readonly call: string; readonly index: number; readonly remark: CallRemark };

/**
 * The rows that the view was given: the same object for a call as long as that is kept, so that selection and
 * expansion stay where they are while events come in and old traces go.
 */
export class TraceRows {
  readonly #traces = new Map<string, TraceRow>();
  readonly #calls = new Map<string, CallRow>();

  /** The row of a trace. */
  ofTrace(trace: string): TraceRow {
    const row: TraceRow = this.#traces.get(trace) ?? { kind: 'trace', trace };
    this.#traces.set(trace, row);
    return row;
  }

  /** The row of a call below another one, or at the top. */
  ofCall(node: CallNode, parent: string | undefined): TraceRow {
    const { call, trace } = node.call;
    const known = this.#calls.get(call);
    if (known && known.parent === parent) return known;
    const row: CallRow = { kind: 'call', trace, call, parent };
    this.#calls.set(call, row);
    return row;
  }

  /** The row of a call that the view was given, or undefined. */
  find(call: string): TraceRow | undefined {
    return this.#calls.get(call);
  }

  /** Forgets the rows of traces. */
  forget(traces: readonly string[]): void {
    if (traces.length === 0) return;
    const gone = new Set(traces);
    for (const trace of gone) this.#traces.delete(trace);
    for (const [call, row] of this.#calls) if (gone.has(row.trace)) this.#calls.delete(call);
  }
}
