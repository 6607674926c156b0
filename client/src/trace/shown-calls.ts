import { countOf, showCount } from '../../../core/text/count.ts';
import type { CallNode, TraceTree } from '../../../trace/fold/tree.ts';
import { findShown, isEmptyFilter, parseFilter } from './trace-filter.ts';
import type { TraceSource } from './trace-source.ts';

/** What of a source is read to find which calls are shown. */
type Readable = Pick<TraceSource, 'trees' | 'notes'>;

/** Which calls of a source a view shows: those that its filter finds and, while it is paused, those that it knew then. */
export class ShownCalls {
  readonly #source: Readable;
  #filter = '';
  #found: { readonly shown: ReadonlySet<CallNode>; readonly found: number } | undefined;
  /** Ids of the calls that were there when it was paused. */
  #known: ReadonlySet<string> | undefined;
  /** Ids of calls that came since. */
  #heldBack = new Set<string>();

  constructor(source: Readable) {
    this.#source = source;
  }

  /** What the user typed. */
  get filter(): string {
    return this.#filter;
  }

  set filter(text: string) {
    this.#filter = text.trim();
    this.refresh();
  }

  get isFiltered(): boolean {
    return this.#found !== undefined;
  }

  get isPaused(): boolean {
    return this.#known !== undefined;
  }

  pause(): void {
    if (this.#known) return;
    const known = new Set<string>();
    for (const node of walk(this.#source.trees())) known.add(node.call.call);
    this.#known = known;
  }

  resume(): void {
    this.#known = undefined;
    this.#heldBack = new Set();
  }

  /** Takes note of a call that changed; answers true where it is not to be drawn now. */
  isHeldBack({ call: { call } }: CallNode): boolean {
    if (!this.#known) return false;
    if (!this.#known.has(call)) this.#heldBack.add(call);
    return true;
  }

  /** Finds anew what the filter shows. Work: all calls, where there is a filter. */
  refresh(): void {
    const filter = parseFilter(this.#filter);
    this.#found = isEmptyFilter(filter) ? undefined : findShown(this.#source.trees(), filter);
  }

  /** The traces of which something is shown, in the order of the source. */
  trees(): readonly TraceTree[] {
    const trees = this.#source.trees();
    if (!this.#found && !this.#known) return trees;
    return trees.filter(({ roots }) => roots.some(root => this.has(root)));
  }

  /** Those of the calls that are shown. */
  pick(calls: readonly CallNode[]): readonly CallNode[] {
    return this.#found || this.#known ? calls.filter(node => this.has(node)) : calls;
  }

  has(node: CallNode): boolean {
    if (this.#known && !this.#known.has(node.call.call)) return false;
    return this.#found?.shown.has(node) ?? true;
  }

  /** What stands above the rows: that the view is paused, what it is filtered by, and what is odd about its source. */
  describe(): string {
    const lines: string[] = [];
    if (this.#known) {
      const count = this.#heldBack.size;
      const came = count === 0 ? 'No call came since' : `${countOf(count, 'call')} came since`;
      lines.push(`Paused. ${came}; recording goes on.`);
    }
    if (this.#found) {
      const found = this.#found.found;
      const where = `in ${countOf(this.trees().length, 'trace')} of ${showCount(this.#source.trees().length)}`;
      const what = found === 0 ? 'no call is found' : `${countOf(found, 'call')} ${where}`;
      lines.push(`Filtered by ${this.#filter}: ${what}.`);
    }
    lines.push(...this.#source.notes());
    return lines.join('\n');
  }
}

function* walk(trees: readonly TraceTree[]): Iterable<CallNode> {
  for (const tree of trees) {
    const open = [...tree.roots];
    for (let node = open.pop(); node; node = open.pop()) {
      yield node;
      for (const child of node.children) open.push(child);
    }
  }
}
