import type { SpanList } from '../../core/text/number-list.ts';
import type { Span } from '../../core/text/span.ts';
import { findLayer, type TextLayerName } from '../recognise/detect.ts';
import type { FaultList } from '../../language/values/fault-list.ts';

/** A part of a text, and the language in which it is read. */
export interface Segment {
  readonly layer: TextLayerName;
  readonly span: Span;
}

/** The result of reading a text. */
interface Reading {
  /** The spans of the messages. */
  readonly spans: SpanList;
  readonly faults: FaultList;
}

/**
 * Splits segments after a reading that dropped parts which look like another language, such as a message of
 * JSON between AICF lines. Undefined if there are none.
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

/** The dropped parts in order, without those that overlap each other or a message. */
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

/** Collects dropped parts that look like another language; a part after one that looks like none is added to it. */
class ForeignParts {
  readonly found: Segment[] = [];
  readonly #text: string;
  readonly #layer: TextLayerName;

  constructor(text: string, layer: TextLayerName) {
    this.#text = text;
    this.#layer = layer;
  }

  /** Adds the next dropped part. */
  add(span: Span): void {
    const before = this.found.at(-1);
    const found = findLayer(this.#text.slice(span.start, span.end));
    if (before && continues(this.#text, before, span, found)) {
      this.found[this.found.length - 1] = { ...before, span: { start: before.span.start, end: span.end } };
    } else if (found && found !== this.#layer) this.found.push({ layer: found, span });
  }
}

/**
 * True for a part that continues the one before it: only white space is between them, and it looks like no
 * third language.
 */
function continues(text: string, before: Segment, span: Span, found: TextLayerName | undefined): boolean {
  if (found !== undefined && found !== before.layer) return false;
  return text.slice(before.span.end, span.start).trim() === '';
}

/** Splits a segment into its foreign parts and those around them. */
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
