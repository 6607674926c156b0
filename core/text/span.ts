/** A half-open range of UTF-16 offsets: `start` is inside, `end` is not. The core knows no lines. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Moves a span by a number of UTF-16 code units. */
export function shiftSpan(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}

/** True where the offset lies in the span or directly at its end, as a cursor does. */
export function touchesOffset(span: Span, offset: number): boolean {
  return span.start <= offset && offset <= span.end;
}

/** True where two spans share a character; an empty one belongs to what it stands in or at the edge of. */
export function meetsSpan(span: Span, other: Span): boolean {
  return span.start === span.end
    ? touchesOffset(other, span.start)
    : span.start < other.end && other.start < span.end;
}
