/** A half-open range `[start, end)` of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Moves a span by a number of UTF-16 code units. */
export function shiftSpan(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}

/** True if the offset is in the span or at its end, where a cursor still touches it. */
export function touchesOffset(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** True if two spans share a character; an empty span meets a span that contains it or that it touches. */
export function meetsSpan(span: Span, other: Span): boolean {
  return span.start === span.end
    ? touchesOffset(other, span.start)
    : span.start < other.end && other.start < span.end;
}
