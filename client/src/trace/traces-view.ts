import { EventEmitter, commands, window, type Disposable, type TreeView } from 'vscode';
import { DisposableStore } from '../dispose.ts';
import type { CountedTokens } from './counted-tokens.ts';
import { ShownCalls } from './shown-calls.ts';
import type { TracePins } from './trace-pins.ts';
import type { TraceRow } from './trace-rows.ts';
import type { TraceSource } from './trace-source.ts';
import { TracesTree } from './traces-tree.ts';

const PAUSED_KEY = 'parley.tracesPaused';
const FILTERED_KEY = 'parley.tracesFiltered';

/** The Traces view, live: it can be filtered and paused. */
export class TracesView implements Disposable {
  readonly #store = new DisposableStore();
  readonly #shown: ShownCalls;
  readonly #tree: TracesTree;
  readonly #view: TreeView<TraceRow>;
  readonly #selected = this.#store.add(new EventEmitter<string>());
  /** The rows that were selected last. */
  #before: readonly TraceRow[] = [];
  /** How many rows are being selected because another view asked for it. */
  #asked = 0;

  /** The call of the row that the user selected, by keys too; of several rows the one that came to them. */
  readonly onDidSelect = this.#selected.event;

  constructor(source: TraceSource, pins: TracePins, counted: CountedTokens) {
    this.#shown = new ShownCalls(source);
    this.#tree = this.#store.add(new TracesTree(source, pins, this.#shown, counted));
    this.#view = this.#store.add(
      window.createTreeView('parley.traces', {
        treeDataProvider: this.#tree,
        canSelectMany: true,
        showCollapseAll: true,
      }),
    );
    this.#store.add(
      this.#view.onDidChangeSelection(({ selection }) => {
        const before = this.#before;
        this.#before = selection;
        const row = selection.find(each => !before.includes(each)) ?? selection[0];
        // What another view selected, it knows; telling it late would take it back from where the user went since.
        if (row && this.#asked === 0) this.#selected.fire(callOf(row));
      }),
    );
    this.#store.add(
      this.#tree.onDidChangeTreeData(() => {
        this.#view.message = this.#shown.describe();
      }),
    );
  }

  /** Calls of the rows that are selected. */
  get selection(): readonly string[] {
    return this.#view.selection.map(callOf);
  }

  /** What the user filters by, as it was typed. */
  get filter(): string {
    return this.#shown.filter;
  }

  set filter(text: string) {
    this.#shown.filter = text;
    void commands.executeCommand('setContext', FILTERED_KEY, this.#shown.isFiltered);
    this.#tree.drawAll();
  }

  /** Shows nothing that comes from now on. What comes is kept all the same. */
  pause(): void {
    this.#shown.pause();
    this.#setPaused();
  }

  /** Shows what came meanwhile, and what comes. */
  resume(): void {
    this.#shown.resume();
    this.#setPaused();
  }

  /** Selects a call's row where the view is open; opens nothing and takes no focus. */
  async select(call: string): Promise<void> {
    const row = this.#view.visible ? this.#tree.find(call) : undefined;
    if (!row) return;
    this.#asked++;
    try {
      await this.#view.reveal(row, { select: true, focus: false });
    } finally {
      this.#asked--;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #setPaused(): void {
    void commands.executeCommand('setContext', PAUSED_KEY, this.#shown.isPaused);
    this.#tree.drawAll();
  }
}

function callOf(row: TraceRow): string {
  return row.kind === 'page' ? row.below.call : row.call;
}
