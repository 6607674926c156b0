import { countOf, showCount } from '../../../../../core/text/count.ts';
import { walkCalls } from '../../../../../trace/export/source.ts';
import type { CallNode, TraceTree } from '../../../../../trace/fold/tree.ts';
import { findShown, isEmptyFilter, parseFilter } from './trace-filter.ts';
import type { TraceSource } from '../../../trace/trace-source.ts';

/** The part of a source that is read to find the shown calls. */
type Readable = Pick<TraceSource, 'trees' | 'notes'>;

/**
 * Determines which calls of a source a view shows: those that match the filter and, while paused, those that
 * were known then.
 */
export class ShownCalls {
  readonly #source: Readable;
  #filter = '';
  #found: { readonly shown: ReadonlySet<CallNode>; readonly found: number } | undefined;
  /** The ids of calls that were known when it was paused. */
  #known: ReadonlySet<string> | undefined;
  /** The ids of calls that arrived since. */
  #heldBack = new Set<string>();

  constructor(source: Readable) {
    this.#source = source;
  }

  /** The filter as typed. */
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
    for (const node of walkCalls(this.#source.trees())) known.add(node.call.call);
    this.#known = known;
  }

  resume(): void {
    this.#known = undefined;
    this.#heldBack = new Set();
  }

  /** Records a changed call. Returns true if it must not be drawn now. */
  isHeldBack({ call: { call } }: CallNode): boolean {
    if (!this.#known) return false;
    if (!this.#known.has(call)) this.#heldBack.add(call);
    return true;
  }

  /** Evaluates the filter again. Cost: O(all calls) if there is a filter. */
  refresh(): void {
    const filter = parseFilter(this.#filter);
    this.#found = isEmptyFilter(filter) ? undefined : findShown(this.#source.trees(), filter);
  }

  /** The traces that have shown calls, in the order of the source. */
  trees(): readonly TraceTree[] {
    const trees = this.#source.trees();
    if (!this.#found && !this.#known) return trees;
    return trees.filter(({ roots }) => roots.some(root => this.has(root)));
  }

  /** Selects the shown ones of some calls. */
  pick(calls: readonly CallNode[]): readonly CallNode[] {
    return this.#found || this.#known ? calls.filter(node => this.has(node)) : calls;
  }

  has(node: CallNode): boolean {
    if (this.#known && !this.#known.has(node.call.call)) return false;
    return this.#found?.shown.has(node) ?? true;
  }

  /** The message above the rows: pause, filter, and notes of the source. */
  describe(): string {
    const lines: string[] = [];
    if (this.#known) {
      const count = this.#heldBack.size;
      const came = count === 0 ? 'No new calls' : countOf(count, 'new call');
      lines.push(`Paused. ${came}; recording continues.`);
    }
    if (this.#found) {
      const found = this.#found.found;
      const where = `in ${countOf(this.trees().length, 'trace')} of ${showCount(this.#source.trees().length)}`;
      const what = found === 0 ? 'no call matches' : `${countOf(found, 'call')} ${where}`;
      lines.push(`Filtered by ${this.#filter}: ${what}.`);
    }
    lines.push(...this.#source.notes());
    return lines.join('\n');
  }
}
