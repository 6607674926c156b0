import { EventEmitter, window, type TreeView } from 'vscode';
import { Owner } from '../../../base/dispose.ts';
import type { CountedTokens } from './counted-tokens.ts';
import { ShownCalls } from './shown-calls.ts';
import type { TracePins } from '../../../trace/trace-pins.ts';
import type { TraceRow } from './trace-rows.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';
import { TracesTree } from './traces-tree.ts';
import { setContext } from '../../../window/context-key.ts';

/** The live Traces view, which can be filtered and paused. */
export class TracesView extends Owner {
  readonly #shown: ShownCalls;
  readonly #tree: TracesTree;
  readonly #view: TreeView<TraceRow>;
  readonly #selected = this.own(new EventEmitter<string>());
  /** The previously selected rows. */
  #before: readonly TraceRow[] = [];
  /** The number of running selections that another view requested. */
  #requests = 0;

  /** Fires with the call of a row that the user selected; of several rows, the newly added one. */
  readonly onDidSelect = this.#selected.event;

  constructor(source: TraceSource, pins: TracePins, counted: CountedTokens) {
    super();
    this.#shown = new ShownCalls(source);
    this.#tree = this.own(new TracesTree(source, pins, this.#shown, counted));
    this.#view = this.own(
      window.createTreeView('parley.traces', {
        treeDataProvider: this.#tree,
        canSelectMany: true,
        showCollapseAll: true,
      }),
    );
    this.own(
      this.#view.onDidChangeSelection(({ selection }) => {
        const before = this.#before;
        this.#before = selection;
        const row = selection.find(each => !before.includes(each)) ?? selection[0];
        // A selection that another view requested is not reported back, because a late report would revert a
        // newer selection there.
        if (row && this.#requests === 0) this.#selected.fire(callOf(row));
      }),
    );
    this.own(
      this.#tree.onDidChangeTreeData(() => {
        this.#view.message = this.#shown.describe();
      }),
    );
  }

  /** The calls of the selected rows. */
  get selection(): readonly string[] {
    return this.#view.selection.map(callOf);
  }

  /** The filter as typed. */
  get filter(): string {
    return this.#shown.filter;
  }

  set filter(text: string) {
    this.#shown.filter = text;
    setContext('tracesFiltered', this.#shown.isFiltered);
    this.#tree.drawAll();
  }

  /** Hides new events from now on. They are still stored. */
  pause(): void {
    this.#shown.pause();
    this.#setPaused();
  }

  /** Shows the hidden events and follows new ones again. */
  resume(): void {
    this.#shown.resume();
    this.#setPaused();
  }

  /** Selects the row of a call if the view is visible. Does not open the view or take the focus. */
  async select(call: string): Promise<void> {
    const row = this.#view.visible ? this.#tree.find(call) : undefined;
    if (!row) return;
    this.#requests++;
    try {
      await this.#tree.hold(this.#view.reveal(row, { select: true, focus: false }));
    } finally {
      this.#requests--;
    }
  }

  #setPaused(): void {
    setContext('tracesPaused', this.#shown.isPaused);
    this.#tree.drawAll();
  }
}

function callOf(row: TraceRow): string {
  return row.kind === 'page' ? row.below.call : row.call;
}
