import type { Span } from '../core/text/span.ts';

/** Leaves the spans of which each holds the one before it and more: what a selection grows through. */
export function growing(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = [];
  for (const span of spans) {
    const last = kept.at(-1) ?? { start: span.end, end: span.start };
    const isFirst = kept.length === 0;
    const holds = span.start <= last.start && last.end <= span.end;
    const isLarger = span.end - span.start > last.end - last.start;
    if (isFirst || (holds && isLarger)) kept.push(span);
  }
  return kept;
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;
/** Longer words are data. */
const LONGEST_WORD = 1_000;

/** The word in `text` that an offset touches; undefined where it touches none. */
export function wordAt(text: string, offset: number): Span | undefined {
  let start = offset;
  let end = offset;
  while (start > 0 && offset - start < LONGEST_WORD && WORD.test(text.charAt(start - 1))) start--;
  while (end - offset < LONGEST_WORD && WORD.test(text.charAt(end))) end++;
  return start < end ? { start, end } : undefined;
}
