import type { Places } from '../../../language/values/text-layer.ts';
import { countWhile } from '../../../core/text/number-list.ts';
import type { Span } from '../../../core/text/span.ts';

/** The two texts of a conversion. */
export type Side = 'source' | 'result';

export function otherSide(side: Side): Side {
  return side === 'source' ? 'result' : 'source';
}

/** The places of values that a conversion preserved; each value has a place in both texts. */
export class PlacePairs {
  readonly #spans: Readonly<Record<Side, SpanList>> = { source: new SpanList(), result: new SpanList() };
  /** Created on first use for a side, because sorting a million places takes time. */
  readonly #nests: Partial<Record<Side, Nest>> = {};

  constructor(source: Places, result: Places) {
    for (const [value, span] of source) {
      const became = result.get(value);
      if (!became) continue;
      this.#spans.source.add(span);
      this.#spans.result.add(became);
    }
  }

  /** The span, on the other side, of the innermost value that contains a span. */
  find(side: Side, span: Span): Span | undefined {
    const nest = (this.#nests[side] ??= new Nest(this.#spans[side]));
    const found = nest.innermost(span);
    return found === undefined ? undefined : this.#spans[otherSide(side)].at(found);
  }
}

/** Spans in two number lists, because a file of 10 MB has a million. */
class SpanList {
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  get length(): number {
    return this.starts.length;
  }

  add({ start, end }: Span): void {
    this.starts.push(start);
    this.ends.push(end);
  }

  at(index: number): Span {
    return { start: this.starts[index] ?? 0, end: this.ends[index] ?? 0 };
  }
}

/** Nested or disjoint spans in text order, each linked to the enclosing one. */
class Nest {
  readonly #spans: SpanList;
  /** Indices of spans by start, outer ones first. */
  readonly #order: Float64Array;
  /** For each position in `#order`, the position of the enclosing span; -1 if there is none. */
  readonly #around: Int32Array;

  constructor(spans: SpanList) {
    this.#spans = spans;
    this.#order = sortSpans(spans);
    this.#around = new Int32Array(spans.length);
    const open: number[] = [];
    for (const [place, index] of this.#order.entries()) {
      const end = this.#end(index);
      while (open.length > 0 && this.#end(this.#order[open.at(-1) ?? 0]) < end) open.pop();
      this.#around[place] = open.at(-1) ?? -1;
      open.push(place);
    }
  }

  /** The index of the innermost span that contains a span; for an empty span between two spans, the second. */
  innermost({ start, end }: Span): number | undefined {
    const { starts, length } = this.#spans;
    let place = countWhile(length, at => (starts[this.#order[at] ?? 0] ?? 0) <= start) - 1;
    while (place >= 0 && this.#end(this.#order[place]) < end) place = this.#around[place] ?? -1;
    return place < 0 ? undefined : this.#order[place];
  }

  #end(index = 0): number {
    return this.#spans.ends[index] ?? 0;
  }
}

/** Sorts numbers that combine start and index, which is much faster than sorting with a comparison function. */
function sortSpans({ starts, ends, length }: SpanList): Float64Array {
  const order = Float64Array.from(starts, (start, index) => start * length + index).sort();
  for (let at = 0; at < length; at++) order[at] = (order[at] ?? 0) % length;
  // Spans with the same start are few and adjacent; the longer ones enclose the others.
  for (let at = 0; at < length;) {
    const start = starts[order[at] ?? 0];
    let next = at + 1;
    while (next < length && starts[order[next] ?? 0] === start) next++;
    if (next > at + 1) order.subarray(at, next).sort((one, other) => (ends[other] ?? 0) - (ends[one] ?? 0));
    at = next;
  }
  return order;
}
