import {
  EventEmitter,
  window,
  type Disposable,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
} from 'vscode';
import type { CallNode } from '../../../protocol/src/trace/tree.ts';
import { DisposableStore } from '../dispose.ts';
import { buildCallItem, buildRemarkItem, buildTraceItem, listRemarks, type CallRemark } from './call-item.ts';
import type { TraceChange, TraceStore } from './trace-store.ts';

/**
 * A row of the view, by what it shows and not by how it stands: the same object as long as the call is kept, so that
 * selection and expansion stay where they are while events come in.
 */
export type TraceRow =
  | { readonly kind: 'trace'; readonly trace: string }
  | {
      readonly kind: 'call';
      readonly trace: string;
      readonly call: string;
      readonly parent: string | undefined;
    }
  | { readonly kind: 'remark'; readonly call: string; readonly index: number; readonly remark: CallRemark };

/** The Traces view: the newest trace on top, live. */
export class TracesView implements TreeDataProvider<TraceRow>, Disposable {
  readonly #traces: TraceStore;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<TraceRow | undefined>());
  readonly #view: TreeView<TraceRow>;
  readonly #traceRows = new Map<string, TraceRow>();
  readonly #callRows = new Map<string, TraceRow>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(traces: TraceStore) {
    this.#traces = traces;
    this.#view = this.#store.add(window.createTreeView('parley.traces', { treeDataProvider: this }));
    this.#store.add(traces.onDidChange(change => this.#refresh(change)));
  }

  /** Selects a call's row where the view is open; opens nothing and takes no focus. */
  async select(call: string): Promise<void> {
    const row = this.#callRows.get(call);
    if (row && this.#view.visible) await this.#view.reveal(row, { select: true, focus: false });
  }

  getChildren(row?: TraceRow): TraceRow[] {
    if (!row) return this.#topRows();
    if (row.kind === 'remark') return [];
    if (row.kind === 'trace') {
      const roots = this.#traces.findTree(row.trace)?.roots ?? [];
      return roots.map(root => this.#callRow(root, undefined));
    }
    const node = this.#traces.findCall(row.call)?.node;
    if (!node) return [];
    const remarks = listRemarks(node).map((remark, index): TraceRow => ({
      kind: 'remark',
      call: row.call,
      index,
      remark,
    }));
    return [...remarks, ...node.children.map(child => this.#callRow(child, row.call))];
  }

  getParent(row: TraceRow): TraceRow | undefined {
    if (row.kind === 'trace') return undefined;
    if (row.kind === 'remark') return this.#callRows.get(row.call);
    if (row.parent !== undefined) return this.#callRows.get(row.parent);
    return this.#hasOneRoot(row.trace) ? undefined : this.#traceRow(row.trace);
  }

  getTreeItem(row: TraceRow): TreeItem {
    switch (row.kind) {
      case 'remark':
        return buildRemarkItem(row.remark, row.call, row.index);
      case 'trace':
        return buildTraceItem(this.#traces.findTree(row.trace) ?? { trace: row.trace, roots: [] });
      case 'call': {
        const node = this.#traces.findCall(row.call)?.node;
        // VS Code may ask for a row that was cleared a moment ago; the next refresh takes it away.
        return node ? buildCallItem(node) : { label: '' };
      }
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #topRows(): TraceRow[] {
    return this.#traces.trees().map(tree => {
      const [first, ...others] = tree.roots;
      return first && others.length === 0 ? this.#callRow(first, undefined) : this.#traceRow(tree.trace);
    });
  }

  #refresh(change: TraceChange): void {
    if (!change.added) {
      this.#traceRows.clear();
      this.#callRows.clear();
    }
    // A new call may stand anywhere; everything else concerns the row of its call alone.
    const event = change.added?.event;
    this.#changed.fire(event && event.type !== 'call' ? this.#callRows.get(event.call) : undefined);
  }

  #hasOneRoot(trace: string): boolean {
    return this.#traces.findTree(trace)?.roots.length === 1;
  }

  #traceRow(trace: string): TraceRow {
    const row = this.#traceRows.get(trace) ?? { kind: 'trace', trace };
    this.#traceRows.set(trace, row);
    return row;
  }

  #callRow(node: CallNode, parent: string | undefined): TraceRow {
    const { call, trace } = node.call;
    const known = this.#callRows.get(call);
    if (known?.kind === 'call' && known.parent === parent) return known;
    const row: TraceRow = { kind: 'call', trace, call, parent };
    this.#callRows.set(call, row);
    return row;
  }
}
