import type { Places } from '../../../language/values/text-layer.ts';
import type { Span } from '../../../core/text/span.ts';

/** The two texts of a conversion. */
export type Side = 'source' | 'result';

export function otherSide(side: Side): Side {
  return side === 'source' ? 'result' : 'source';
}

/** The places of values that a conversion preserved; each value has a place in both texts. */
export class PlacePairs {
  readonly #pairs: Readonly<Record<Side, Span>>[] = [];

  constructor(sources: Places, results: Places) {
    for (const [value, source] of sources) {
      const result = results.get(value);
      if (result) this.#pairs.push({ source, result });
    }
  }

  /**
   * The span, on the other side, of the innermost value that contains a span; for an empty span between two values, of
   * the second. Spans are nested or disjoint.
   */
  find(side: Side, { start, end }: Span): Span | undefined {
    let found: Readonly<Record<Side, Span>> | undefined;
    for (const pair of this.#pairs) {
      const span = pair[side];
      if (span.start > start || span.end < end) continue;
      const best = found?.[side];
      if (!best || span.start > best.start || (span.start === best.start && span.end < best.end))
        found = pair;
    }
    return found?.[otherSide(side)];
  }
}
