import { findJsonSpot } from '../../json/json-spot.ts';
import type { Span } from '../../../core/text/span.ts';
import type { CursorPlace } from '../cursor.ts';
import { findLinkedJson, readLinked } from '../linked-json.ts';
import type { ToolTable } from '../../tools.ts';

/** Longer JSON is selected as a whole. */
const LONGEST_READ = 1 << 20;
/** Maximum number of nested values used; outside of them only the whole JSON is selected. */
const MAX_VALUES = 100;

/**
 * The spans of an expanding selection in JSON, from inner to outer: string content, string, member, content
 * of the object or array, object or array. Spans are relative to the start of the line.
 */
export function selectInJson(place: CursorPlace, tools: ToolTable): readonly Span[] {
  const json = place.kind === 'field' ? findLinkedJson(place, tools, LONGEST_READ) : undefined;
  if (!json) return [];
  const { embedded } = json;
  const at = embedded.toEmbedded(place.offset);
  const spot = findJsonSpot(readLinked(json), embedded.text, at);
  if (!spot) return [json.span];
  const inner = spot.around.slice(-MAX_VALUES).toReversed();
  const spans = inner.flatMap(span => [contentsOf(embedded.text, span), span]).filter(holds(at));
  return [...spans.map(span => embedded.toSource(span)), json.span];
}

/** The content between the quotation marks or brackets at the ends of a span, or the span itself if it has none. */
function contentsOf(text: string, span: Span): Span {
  const ends = text.charAt(span.start) + text.charAt(span.end - 1);
  const isEnclosed = span.end - span.start > 1 && (ends === '""' || ends === '{}' || ends === '[]');
  return isEnclosed ? { start: span.start + 1, end: span.end - 1 } : span;
}

function holds(offset: number): (span: Span) => boolean {
  return ({ start, end }) => start <= offset && offset <= end;
}
