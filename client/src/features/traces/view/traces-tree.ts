import { EventEmitter, workspace, type TreeDataProvider, type TreeItem } from 'vscode';
import type { TracePart } from '../../../../../protocols/reply-parts/part.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';
import { currentSettings } from '../../../base/settings.ts';
import { Owner } from '../../../base/dispose.ts';
import { Throttle } from '../../../base/throttle.ts';
import {
  buildCallItem,
  buildPageItem,
  buildRemarkItem,
  buildTraceItem,
  listRemarks,
  opensByItself,
  type RowPlace,
} from './call-item.ts';
import type { CountedTokens } from './counted-tokens.ts';
import { summarize } from './row-words.ts';
import { CallParts, mayHaveParts } from '../../../trace/call-parts.ts';
import { buildPartItem, buildReplyItem } from './part-item.ts';
import type { ShownCalls } from './shown-calls.ts';
import type { TracePins } from '../../../trace/trace-pins.ts';
import { TraceRows, describePage, type ParentRow, type TraceRow } from './trace-rows.ts';
import type { SourceChange, TraceSource } from '../../../trace/trace-source.ts';

/** Rows of larger traces are collapsed initially, because VS Code would request all of them. */
const MAX_OPENED = 500;

/** Milliseconds of pause for each row that was requested since the last drawing. */
const REST = 0.5;

/** The pause after a drawing, as a multiple of its duration, because a filter checks all calls. */
const REST_AFTER = 10;

/** The rows of the Traces view: pinned traces first, then the newest. Only changed rows are redrawn. */
export class TracesTree extends Owner implements TreeDataProvider<TraceRow> {
  readonly #source: TraceSource;
  readonly #pins: TracePins;
  readonly #counted: CountedTokens;
  readonly #shown: ShownCalls;
  readonly #changed = this.own(new EventEmitter<TraceRow[] | undefined>());
  readonly #rows = new TraceRows();
  readonly #parts: CallParts;
  readonly #redraw = this.own(
    new Throttle(
      () => this.#draw(),
      () => Math.max(this.#given * REST, this.#cost * REST_AFTER),
    ),
  );
  /** Traces from before this time are collapsed initially. */
  readonly #startedAt = Date.now();
  /** Rows that changed since the last drawing, or all of them. */
  #stale: Set<TraceRow> | 'all' = new Set<TraceRow>();
  #depthLimit = readDepthLimit();
  /** The number of rows requested since the last drawing. */
  #given = 0;
  /** The duration of the last drawing here, in milliseconds. */
  #cost = 0;

  /** Also fires if no row changed, because the message above the rows may have. */
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: TraceSource, pins: TracePins, shown: ShownCalls, counted: CountedTokens) {
    super();
    this.#source = source;
    this.#counted = counted;
    this.own(counted.onDidChange(() => this.drawAll()));
    this.#parts = new CallParts(source);
    this.#pins = pins;
    this.#shown = shown;
    this.own(source.onDidChange(change => this.#take(change)));
    this.own(pins.onDidChange(() => this.drawAll()));
    this.own(
      workspace.onDidChangeConfiguration(event => {
        if (!event.affectsConfiguration('parley.trace.depthLimit')) return;
        this.#depthLimit = readDepthLimit();
        this.drawAll();
      }),
    );
  }

  /** The row of a call; undefined if it is not shown. */
  find(call: string): TraceRow | undefined {
    const node = this.#source.find(call);
    return node && this.#shown.has(node) ? this.#rows.ofCall(node) : undefined;
  }

  /** Redraws all rows. */
  drawAll(): void {
    this.#stale = 'all';
    this.#redraw.request();
  }

  /** Redraws no row until other work has ended. */
  hold(work: PromiseLike<unknown>): Promise<void> {
    return this.#redraw.hold(work);
  }

  getChildren(): TraceRow[];
  getChildren(row?: TraceRow): TraceRow[] | Promise<TraceRow[]>;
  getChildren(row?: TraceRow): TraceRow[] | Promise<TraceRow[]> {
    if (!row) return this.#listTop();
    switch (row.kind) {
      case 'remark':
        return [];
      case 'reply':
        return this.#readParts(row.call, []);
      case 'part':
        return row.part.children.map(part => ({ kind: 'part', call: row.call, part }));
      case 'page':
        return [...this.#rows.ofPage(this.#callsBelow(row.below), row)];
      case 'trace':
        return [...this.#rows.ofCalls(this.#callsBelow(row), row)];
      case 'call': {
        const node = this.#source.find(row.call);
        const remarks = (node ? listRemarks(node) : []).map((remark, index): TraceRow => ({
          kind: 'remark',
          call: row.call,
          index,
          remark,
        }));
        // Parts are read only below a call that is not expanded by default.
        if (node && opensToParts(node)) return this.#readParts(row.call, remarks);
        const reply: readonly TraceRow[] =
          node && hasReplyRow(node) ? [{ kind: 'reply', call: row.call }] : [];
        return [...remarks, ...reply, ...this.#rows.ofCalls(this.#callsBelow(row), row)];
      }
    }
  }

  getParent(row: TraceRow): TraceRow | undefined {
    switch (row.kind) {
      case 'trace':
        return undefined;
      case 'page':
        return row.below;
      case 'remark':
      case 'reply':
      case 'part':
        return this.#rows.find(row.call);
      case 'call':
        return this.#above(row.call);
    }
  }

  getTreeItem(row: TraceRow): TreeItem {
    this.#given++;
    switch (row.kind) {
      case 'remark':
        return buildRemarkItem(row.remark, row.call, row.index);
      case 'reply': {
        const node = this.#source.find(row.call);
        return node ? buildReplyItem(node) : { label: '' };
      }
      case 'part':
        return buildPartItem(row.part, row.call, this.#source.find(row.call)?.call.at ?? row.part.at);
      case 'page':
        return buildPageItem(row.below.call, describePage(row.from, this.#callsBelow(row.below).length));
      case 'trace': {
        const tree = this.#source.treeOf(row.call);
        return tree ? buildTraceItem(tree, row.call, this.#placeOf(row, tree, 'opened')) : { label: '' };
      }
      case 'call': {
        const node = this.#source.find(row.call);
        const tree = this.#source.treeOf(row.call);
        // VS Code may request a row that was just cleared; the next drawing removes it.
        if (!node || !tree) return { label: '' };
        // The row of a trace that the recursion guard stopped says so, and would open to a long chain of calls.
        const isStopped = !node.parent && summarize(tree).depth > this.#depthLimit;
        row.isOpened = !isStopped && (row.isOpened || (opensByItself(node) && this.#mayOpen(tree)));
        const hasBelow = opensByItself(node) || listRemarks(node).length > 0 || opensToParts(node);
        const fold = row.isOpened ? 'opened' : hasBelow ? 'closed' : 'leaf';
        return buildCallItem(node, this.#placeOf(row, tree, fold));
      }
    }
  }

  async #readParts(call: string, remarks: readonly TraceRow[]): Promise<TraceRow[]> {
    const { parts, notes } = await this.#parts.read(call);
    const reported = notes.map((text, index): TraceRow => {
      return { kind: 'remark', call, index: remarks.length + index, remark: { kind: 'note', text } };
    });
    return [
      ...remarks,
      ...reported,
      ...parts.map((part: TracePart): TraceRow => ({ kind: 'part', call, part })),
    ];
  }

  #listTop(): TraceRow[] {
    const trees = this.#shown.trees();
    const pinned = this.#pins.tracesOf(this.#source);
    const isPinned = (tree: TraceTree): boolean => pinned.has(tree.trace);
    const sorted = [...trees.filter(isPinned), ...trees.filter(tree => !isPinned(tree))];
    return sorted.flatMap(tree => this.#rows.ofTree(tree) ?? []);
  }

  #callsBelow(row: ParentRow): readonly CallNode[] {
    const all =
      row.kind === 'trace' ? this.#source.treeOf(row.call)?.roots : this.#source.find(row.call)?.children;
    return this.#shown.pick(all ?? []);
  }

  #above(call: string): TraceRow | undefined {
    const node = this.#source.find(call);
    const tree = this.#source.treeOf(call);
    if (!node || !tree) return undefined;
    const below = node.parent ? this.#rows.ofCall(node.parent) : this.#rows.ofTree(tree);
    // A single root call is the top row of its trace.
    if (!below || below === this.#rows.find(call)) return undefined;
    return this.#rows.above(this.#callsBelow(below).indexOf(node), below);
  }

  #placeOf(row: ParentRow, tree: TraceTree, fold: RowPlace['fold']): RowPlace {
    const isTop = this.#rows.ofTree(tree) === row;
    return {
      depthLimit: this.#depthLimit,
      findCounted: this.#counted.find,
      fold: row.kind === 'trace' && !this.#mayOpen(tree) ? 'closed' : fold,
      ...(isTop ? { tree, isPinned: this.#pins.tracesOf(this.#source).has(tree.trace) } : {}),
    };
  }

  #mayOpen({ roots, size }: TraceTree): boolean {
    return size <= MAX_OPENED && (roots[0]?.call.at ?? 0) >= this.#startedAt;
  }

  #take({ changed, dropped }: SourceChange): void {
    if (dropped.length > 0) this.#stale = 'all';
    for (const node of changed) {
      if (this.#shown.isHeldBack(node)) continue;
      if (this.#stale !== 'all') this.#touch(node);
    }
    if (this.#shown.isFiltered) this.#stale = 'all';
    this.#redraw.request();
  }

  /** Marks the rows whose text depends on a changed call. */
  #touch(node: CallNode): void {
    if (this.#stale === 'all') return;
    const { call, parent } = node;
    const row = this.#rows.find(call.call);
    const tree = this.#source.treeOf(call.call);
    const isElsewhere = row ? row.above !== parent?.call.call : !parent;
    // `findTop` does not create a row. A trace without one, because its first call arrived after others below
    // it, is redrawn completely.
    const top = tree && this.#rows.findTop(tree);
    if (isElsewhere || !top) {
      this.#stale = 'all';
      return;
    }
    const above = row ?? (parent && this.#rows.find(parent.call.call));
    if (above) this.#stale.add(above);
    this.#stale.add(top);
  }

  #draw(): void {
    const begun = performance.now();
    const stale = this.#stale;
    this.#stale = new Set();
    this.#given = 0;
    if (stale === 'all') {
      this.#rows.sweep(call => this.#source.find(call) !== undefined);
      this.#shown.refresh();
    }
    this.#cost = performance.now() - begun;
    this.#changed.fire(stale === 'all' ? undefined : [...stale]);
  }
}

/** True for a call whose reply parts are its only interesting children. */
function opensToParts(node: CallNode): boolean {
  return !opensByItself(node) && mayHaveParts(node);
}

/** True if the reply gets a row of its own below an expanded call, which requires several pieces. */
function hasReplyRow(node: CallNode): boolean {
  return mayHaveParts(node) && node.traffic.piecesIn > 1;
}

function readDepthLimit(): number {
  return currentSettings()['trace.depthLimit'];
}
