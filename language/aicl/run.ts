import { countWhile, lastAtMost } from '../../core/text/count-while.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * A stretch of whole entries of one group, without the comma behind it: read once, and kept as long as no edit touches
 * it. It holds no position, so that an edit before it leaves it as it is: what is known of it can be kept by the object.
 */
export interface Run {
  readonly kind: 'items' | 'pairs';
  /** How many entries it has, and how many characters. */
  readonly count: number;
  readonly length: number;
  /** How many levels its values nest; 1 where all are atoms. */
  readonly height: number;
  /** How many of its entries are texts. */
  readonly texts: number;
  /** Where its first entry ends, and where the colon of that stands, if it is a pair; else -1. */
  readonly firstEnd: number;
  readonly firstColon: number;
}

/** A run where it stands in a unit. */
export interface PlacedRun extends Span {
  readonly run: Run;
}

/** Makes the nodes of a run, in offsets of the unit. */
export type ReadRun<Node> = (run: PlacedRun) => readonly Node[];

/** What stands between the brackets of a group: nodes, and runs of which the nodes are made when they are asked for. */
export class RunChildren<Node extends Span> {
  readonly parts: readonly (Node | PlacedRun)[];
  readonly length: number;
  readonly #read: ReadRun<Node>;
  /** The index of the first child of each part. */
  readonly #firsts: readonly number[];
  /** The nodes of the runs that were asked for: who asks twice gets the same ones. */
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

  /** The index of the first child that ends at or after an offset, as if all were looked at. */
  firstFrom(offset: number): number {
    const part = countWhile(this.parts.length, index => (this.parts[index]?.end ?? 0) < offset);
    const inPart = this.nodesOf(part).findIndex(node => node.end >= offset);
    return part === this.parts.length ? this.length : (this.#firsts[part] ?? 0) + Math.max(0, inPart);
  }

  /** The nodes of the part with an index. */
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
