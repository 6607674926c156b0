import type { Span } from '../text/span.ts';
import { findLayer, type TextLayerName } from './detect.ts';
import type { TextFault } from './text/text-layer.ts';

/** A part of a text and the language in which it is read. */
export interface Segment {
  readonly layer: TextLayerName;
  readonly span: Span;
}

/** What a reading found. */
interface Reading {
  /** Where messages stand. */
  readonly spans: readonly Span[];
  readonly faults: readonly TextFault[];
}

/**
 * Segments anew after a reading that dropped parts which look like another language: a message of JSON between AICF
 * lines, say. Undefined where there is none.
 */
export function splitSegments(
  text: string,
  segments: readonly Segment[],
  reading: Reading,
): readonly Segment[] | undefined {
  const dropped = listDropped(reading);
  if (dropped.length === 0) return undefined;
  const split: Segment[] = [];
  let next = 0;
  for (const segment of segments) {
    const inside: Span[] = [];
    for (; (dropped[next]?.start ?? Infinity) < segment.span.end; next++) {
      const span = dropped[next];
      if (span) inside.push(span);
    }
    for (const part of splitSegment(segment, findForeign(text, segment.layer, inside))) split.push(part);
  }
  return split.length > segments.length || split.some((part, at) => part.layer !== segments[at]?.layer)
    ? split
    : undefined;
}

/** The parts that were dropped, in order, apart from each other and from all that was read. */
function listDropped({ spans: read, faults }: Reading): readonly Span[] {
  const dropped: Span[] = [];
  let message = 0;
  const spans = faults.filter(({ kind }) => kind === 'dropped').map(({ span }) => span);
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    while ((read[message]?.end ?? Infinity) <= span.start) message++;
    const isRead = (read[message]?.start ?? Infinity) < span.end;
    if (!isRead && span.start >= (dropped.at(-1)?.end ?? 0)) dropped.push(span);
  }
  return dropped;
}

/** Those that look like another language; what follows one and looks like none belongs to it. */
function findForeign(text: string, layer: TextLayerName, dropped: readonly Span[]): readonly Segment[] {
  const foreign: Segment[] = [];
  for (const span of dropped) {
    const before = foreign.at(-1);
    const found = findLayer(text.slice(span.start, span.end));
    if (before && continues(text, before, span, found)) {
      foreign[foreign.length - 1] = { ...before, span: { start: before.span.start, end: span.end } };
    } else if (found && found !== layer) foreign.push({ layer: found, span });
  }
  return foreign;
}

/** True for a part that goes on with the one before it: only white space is between them, and it says no other language. */
function continues(text: string, before: Segment, span: Span, found: TextLayerName | undefined): boolean {
  if (found !== undefined && found !== before.layer) return false;
  return text.slice(before.span.end, span.start).trim() === '';
}

/** The foreign parts of a segment, and what is around them. */
function splitSegment({ layer, span }: Segment, foreign: readonly Segment[]): readonly Segment[] {
  const parts: Segment[] = [];
  let { start } = span;
  for (const part of foreign) {
    parts.push({ layer, span: { start, end: part.span.start } }, part);
    start = part.span.end;
  }
  parts.push({ layer, span: { start, end: span.end } });
  return parts.filter(part => part.span.start < part.span.end);
}
