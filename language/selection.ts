import type { Span } from '../core/text/span.ts';

/** Filters the steps of an expanding selection: each remaining span contains the previous one and is larger. */
export function growing(spans: readonly Span[]): readonly Span[] {
  const cached: Span[] = [];
  for (const span of spans) {
    const last = cached.at(-1) ?? { start: span.end, end: span.start };
    const isFirst = cached.length === 0;
    const holds = span.start <= last.start && last.end <= span.end;
    const isLarger = span.end - span.start > last.end - last.start;
    if (isFirst || (holds && isLarger)) cached.push(span);
  }
  return cached;
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;
/** Limits the search on each side of the offset; longer words are data. */
const LONGEST_WORD = 1_000;

/** The word in `text` that an offset touches; undefined if there is none. */
export function wordAt(text: string, offset: number): Span | undefined {
  let start = offset;
  let end = offset;
  while (start > 0 && offset - start < LONGEST_WORD && WORD.test(text.charAt(start - 1))) start--;
  while (end - offset < LONGEST_WORD && WORD.test(text.charAt(end))) end++;
  return start < end ? { start, end } : undefined;
}
