import { meetsSpan, type Span } from '../../../core/text/span.ts';
import type { AiclDocument } from '../document.ts';
import type { UnitList } from '../unit-list.ts';

/**
 * The messages and fragments that touch a span. Container lines directly above a message are not part of its
 * span, but touching them counts as touching it. Read lazily.
 */
export function* messages({ units }: AiclDocument, within: Span): Generator<Span> {
  let above: number | undefined;
  for (let index = firstIndex(units, within.start); index < units.count; index++) {
    const unit = units.at(index);
    if (!unit) return;
    const { kind, end } = unit;
    const start = above ?? unit.start;
    if (start > within.end) return;
    above = kind === 'container' ? start : undefined;
    const isMessage = kind === 'message' || kind === 'fragment';
    if (isMessage && meetsSpan(within, { start, end })) yield { start: unit.start, end };
  }
}

/** The index of the unit before an offset, or of the first of the container lines directly above it. */
function firstIndex(units: UnitList, offset: number): number {
  let index = Math.max(0, units.indexFrom(offset) - 1);
  while (units.contentAt(index - 1)?.kind === 'container') index--;
  return index;
}
