import type { SpanList } from '../../core/text/span-list.ts';
import type { Span } from '../../core/text/span.ts';
import { findLayer, type TextLayerName } from './detect.ts';
import type { FaultList } from '../../language/values/fault-list.ts';

/** A part of a text and the language in which it is read. */
export interface Segment {
  readonly layer: TextLayerName;
  readonly span: Span;
}

/** What a reading found. */
interface Reading {
  /** Where messages stand. */
  readonly spans: SpanList;
  readonly faults: FaultList;
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
  let next = dropped.next();
  if (next.done) return undefined;
  const split: Segment[] = [];
  for (const segment of segments) {
    const foreign = new ForeignParts(text, segment.layer);
    for (; !next.done && next.value.start < segment.span.end; next = dropped.next()) foreign.add(next.value);
    for (const part of splitSegment(segment, foreign.found)) split.push(part);
  }
  return split.length > segments.length || split.some((part, at) => part.layer !== segments[at]?.layer)
    ? split
    : undefined;
}

/** The parts that were dropped, in order, apart from each other and from all that was read. */
function* listDropped({ spans: read, faults }: Reading): Generator<Span, void> {
  let last = 0;
  let message = 0;
  for (const { kind, span } of faults) {
    if (kind !== 'dropped') continue;
    while ((read.endOf(message) ?? Infinity) <= span.start) message++;
    const isRead = (read.startOf(message) ?? Infinity) < span.end;
    if (isRead || span.start < last) continue;
    last = span.end;
    yield span;
  }
}

/** Those that look like another language; what follows one and looks like none belongs to it. */
class ForeignParts {
  readonly found: Segment[] = [];
  readonly #text: string;
  readonly #layer: TextLayerName;

  constructor(text: string, layer: TextLayerName) {
    this.#text = text;
    this.#layer = layer;
  }

  /** Adds the next part that was dropped. */
  add(span: Span): void {
    const before = this.found.at(-1);
    const found = findLayer(this.#text.slice(span.start, span.end));
    if (before && continues(this.#text, before, span, found)) {
      this.found[this.found.length - 1] = { ...before, span: { start: before.span.start, end: span.end } };
    } else if (found && found !== this.#layer) this.found.push({ layer: found, span });
  }
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
