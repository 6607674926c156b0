import { EventEmitter, workspace, type Disposable, type TreeDataProvider, type TreeItem } from 'vscode';
import type { TracePart } from '../../../protocols/reply-parts/part.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { currentSettings } from '../cost/settings.ts';
import { DisposableStore } from '../dispose.ts';
import { Throttle } from '../throttle.ts';
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
import { CallParts, mayHaveParts } from './call-parts.ts';
import { buildPartItem, buildReplyItem } from './part-item.ts';
import type { ShownCalls } from './shown-calls.ts';
import type { TracePins } from './trace-pins.ts';
import { TraceRows, describePage, type ParentRow, type TraceRow } from './trace-rows.ts';
import type { SourceChange, TraceSource } from './trace-source.ts';

/** Rows of larger traces stay closed until they are opened: VS Code would ask for all of them. */
const MOST_OPENED = 500;

/** Milliseconds of rest for each row that was asked for since the last drawing. */
const REST = 0.5;

/** How many times as long as the last drawing took, the pause after it is: a filter looks at all calls. */
const REST_AFTER = 10;

/** The rows of the Traces view: pinned traces on top, then the newest. Only those that changed are drawn again. */
export class TracesTree implements TreeDataProvider<TraceRow>, Disposable {
  readonly #source: TraceSource;
  readonly #pins: TracePins;
  readonly #counted: CountedTokens;
  readonly #shown: ShownCalls;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<TraceRow[] | undefined>());
  readonly #rows = new TraceRows();
  readonly #parts: CallParts;
  readonly #redraw = this.#store.add(
    new Throttle(
      () => this.#draw(),
      () => Math.max(this.#given * REST, this.#cost * REST_AFTER),
    ),
  );
  /** Traces from before are closed at first. */
  readonly #startedAt = Date.now();
  /** Rows that changed since the last drawing, or all of them. */
  #stale: Set<TraceRow> | 'all' = new Set<TraceRow>();
  #depthLimit = readDepthLimit();
  /** Rows that were asked for since the last drawing. */
  #given = 0;
  /** Milliseconds that the last drawing took here. */
  #cost = 0;

  /** Fires also where no row changed: what stands above them may have. */
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(source: TraceSource, pins: TracePins, shown: ShownCalls, counted: CountedTokens) {
    this.#source = source;
    this.#counted = counted;
    this.#store.add(counted.onDidChange(() => this.drawAll()));
    this.#parts = new CallParts(source);
    this.#pins = pins;
    this.#shown = shown;
    this.#store.add(source.onDidChange(change => this.#take(change)));
    this.#store.add(pins.onDidChange(() => this.drawAll()));
    this.#store.add(
      workspace.onDidChangeConfiguration(event => {
        if (!event.affectsConfiguration('parley.trace.depthLimit')) return;
        this.#depthLimit = readDepthLimit();
        this.drawAll();
      }),
    );
  }

  /** The row of a call; undefined where it is not shown. */
  find(call: string): TraceRow | undefined {
    const node = this.#source.find(call);
    return node && this.#shown.has(node) ? this.#rows.ofCall(node) : undefined;
  }

  /** Draws all rows again. */
  drawAll(): void {
    this.#stale = 'all';
    this.#redraw.request();
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
        // What stands open without being asked for reads nothing.
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
        // VS Code may ask for a row that was cleared a moment ago; the next drawing takes it away.
        if (!node || !tree) return { label: '' };
        if (opensByItself(node) && this.#mayOpen(tree)) row.isOpened = true;
        const hasBelow = opensByItself(node) || node.notes.length > 0 || opensToParts(node);
        const fold = row.isOpened ? 'opened' : hasBelow ? 'closed' : 'leaf';
        return buildCallItem(node, this.#placeOf(row, tree, fold));
      }
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #readParts(call: string, remarks: readonly TraceRow[]): Promise<TraceRow[]> {
    const { parts, notes } = await this.#parts.read(call);
    const told = notes.map((text, index): TraceRow => {
      return { kind: 'remark', call, index: remarks.length + index, remark: { kind: 'note', text } };
    });
    return [...remarks, ...told, ...parts.map((part: TracePart): TraceRow => ({ kind: 'part', call, part }))];
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
    // The first call stands for its trace where that has no other one.
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
    return size <= MOST_OPENED && (roots[0]?.call.at ?? 0) >= this.#startedAt;
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

  /** Finds the rows that say something else now that a call changed. */
  #touch(node: CallNode): void {
    if (this.#stale === 'all') return;
    const { call, parent } = node;
    const row = this.#rows.find(call.call);
    const tree = this.#source.treeOf(call.call);
    const isElsewhere = row ? row.above !== parent?.call.call : !parent;
    // A trace whose first call came after others below it has no row yet: asking for one would make it look drawn.
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

/** True for a call of which nothing but its reply is worth to be opened. */
function opensToParts(node: CallNode): boolean {
  return !opensByItself(node) && mayHaveParts(node);
}

/** Below a call that stands open by itself its reply has a row of its own, where it came in pieces. */
function hasReplyRow(node: CallNode): boolean {
  return mayHaveParts(node) && node.traffic.piecesIn > 1;
}

function readDepthLimit(): number {
  return currentSettings()['trace.depthLimit'];
}
