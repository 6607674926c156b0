import {
  EventEmitter,
  window,
  type Disposable,
  type TreeDataProvider,
  type TreeItem,
  type TreeView,
} from 'vscode';
import { DisposableStore } from '../dispose.ts';
import { Throttle } from '../throttle.ts';
import { buildCallItem, buildRemarkItem, buildTraceItem, listRemarks } from './call-item.ts';
import { TraceRows, type TraceRow } from './trace-rows.ts';
import type { TraceChange, TraceStore } from './trace-store.ts';

/** The Traces view: the newest trace on top, live. */
export class TracesView implements TreeDataProvider<TraceRow>, Disposable {
  readonly #traces: TraceStore;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<TraceRow[] | undefined>());
  readonly #view: TreeView<TraceRow>;
  readonly #rows = new TraceRows();
  readonly #redraw = this.#store.add(new Throttle(() => this.#draw()));
  /** What changed since the last drawing: rows, or all of them. */
  #stale: Set<TraceRow> | 'all' = new Set<TraceRow>();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(traces: TraceStore) {
    this.#traces = traces;
    this.#view = this.#store.add(window.createTreeView('parley.traces', { treeDataProvider: this }));
    this.#store.add(traces.onDidChange(change => this.#refresh(change)));
  }

  /** Selects a call's row where the view is open; opens nothing and takes no focus. */
  async select(call: string): Promise<void> {
    const row = this.#rows.find(call);
    if (row && this.#view.visible) await this.#view.reveal(row, { select: true, focus: false });
  }

  getChildren(row?: TraceRow): TraceRow[] {
    if (!row) return this.#topRows();
    if (row.kind === 'remark') return [];
    if (row.kind === 'trace') {
      const roots = this.#traces.findTree(row.trace)?.roots ?? [];
      return roots.map(root => this.#rows.ofCall(root, undefined));
    }
    const node = this.#traces.findCall(row.call)?.node;
    if (!node) return [];
    const remarks = listRemarks(node).map((remark, index): TraceRow => ({
      kind: 'remark',
      call: row.call,
      index,
      remark,
    }));
    return [...remarks, ...node.children.map(child => this.#rows.ofCall(child, row.call))];
  }

  getParent(row: TraceRow): TraceRow | undefined {
    if (row.kind === 'trace') return undefined;
    if (row.kind === 'remark') return this.#rows.find(row.call);
    if (row.parent !== undefined) return this.#rows.find(row.parent);
    return this.#hasOneRoot(row.trace) ? undefined : this.#rows.ofTrace(row.trace);
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
      return first && others.length === 0
        ? this.#rows.ofCall(first, undefined)
        : this.#rows.ofTrace(tree.trace);
    });
  }

  #refresh({ added, dropped }: TraceChange): void {
    this.#rows.forget(dropped);
    // A new call may stand anywhere and a trace that goes takes a row; the rest concerns the row of its call alone.
    const isOneRow = dropped.length === 0 && added !== undefined && added.event.type !== 'call';
    const row = isOneRow ? this.#rows.find(added.event.call) : undefined;
    if (!row) this.#stale = 'all';
    else if (this.#stale !== 'all') this.#stale.add(row);
    this.#redraw.request();
  }

  #draw(): void {
    const stale = this.#stale;
    this.#stale = new Set();
    this.#changed.fire(stale === 'all' ? undefined : [...stale]);
  }

  #hasOneRoot(trace: string): boolean {
    return this.#traces.findTree(trace)?.roots.length === 1;
  }
}
