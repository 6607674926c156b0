import { countWhile, lastAtMost } from '../../core/text/number-list.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * Several complete entries of one group, without the comma after the last one. Read once and stored until an edit
 * touches it. It has no position, so that edits before it do not change it and results can be cached by the object.
 */
export interface Run {
  readonly kind: 'items' | 'pairs';
  /** The number of its entries and characters. */
  readonly count: number;
  readonly length: number;
  /** The nesting depth of its values; 1 if all are atoms. */
  readonly height: number;
  /** The number of entries that are texts. */
  readonly texts: number;
  /** The end of its first entry and, if that is a pair, the offset of its colon; otherwise -1. */
  readonly firstEnd: number;
  readonly firstColon: number;
}

/** A run with its position in a unit. */
export interface PlacedRun extends Span {
  readonly run: Run;
}

/** Creates the nodes of a run, in offsets of the unit. */
export type ReadRun<Node> = (run: PlacedRun) => readonly Node[];

/** The children of a group: nodes, and runs whose nodes are created on request. */
export class RunChildren<Node extends Span> {
  readonly parts: readonly (Node | PlacedRun)[];
  readonly length: number;
  readonly #read: ReadRun<Node>;
  /** The index of the first child of each part. */
  readonly #firsts: readonly number[];
  /** The nodes created so far, so that repeated access returns the same objects. */
  readonly #made = new Map<PlacedRun, readonly Node[]>();

  constructor(parts: readonly (Node | PlacedRun)[], read: ReadRun<Node>) {
    this.parts = parts;
    this.#read = read;
    const firsts: number[] = [];
    let count = 0;
    for (const part of parts) {
      firsts.push(count);
      count += isRun(part) ? part.run.count : 1;
    }
    this.#firsts = firsts;
    this.length = count;
  }

  at(index: number): Node | undefined {
    const wanted = index < 0 ? this.length + index : index;
    if (wanted < 0 || wanted >= this.length) return undefined;
    const part = lastAtMost(this.#firsts, wanted);
    return this.nodesOf(part)[wanted - (this.#firsts[part] ?? 0)];
  }

  /** The index of the first child that ends at or after an offset. */
  firstFrom(offset: number): number {
    const part = countWhile(this.parts.length, index => (this.parts[index]?.end ?? 0) < offset);
    const inPart = this.nodesOf(part).findIndex(node => node.end >= offset);
    return part === this.parts.length ? this.length : (this.#firsts[part] ?? 0) + Math.max(0, inPart);
  }

  /** The nodes of the part at an index. */
  nodesOf(index: number): readonly Node[] {
    const part = this.parts[index];
    if (!part) return [];
    if (!isRun(part)) return [part];
    const made = this.#made.get(part) ?? this.#read(part);
    this.#made.set(part, made);
    return made;
  }

  *[Symbol.iterator](): Generator<Node> {
    for (let index = 0; index < this.parts.length; index++) yield* this.nodesOf(index);
  }
}

export function isRun<Node extends Span>(part: Node | PlacedRun): part is PlacedRun {
  return 'run' in part;
}
