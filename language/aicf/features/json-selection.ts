import { findJsonSpot } from '../../json/json-spot.ts';
import type { Span } from '../../../core/text/span.ts';
import type { CursorPlace } from '../cursor.ts';
import { findLinkedJson, readLinked } from '../linked-json.ts';
import type { ToolTable } from '../../tools.ts';

/** Longer JSON is one piece. */
const LONGEST_READ = 1 << 20;
/** So many values around a place are enough to grow through; further out only the whole JSON. */
const MOST_VALUES = 100;

/**
 * What a selection in JSON grows through, from the inside out: the text of a string, the string, the member, what an
 * object or array holds, the object or array. The spans count from the start of the line.
 */
export function selectInJson(place: CursorPlace, tools: ToolTable): readonly Span[] {
  const json = place.kind === 'field' ? findLinkedJson(place, tools, LONGEST_READ) : undefined;
  if (!json) return [];
  const { embedded } = json;
  const at = embedded.toEmbedded(place.offset);
  const spot = findJsonSpot(readLinked(json), embedded.text, at);
  if (!spot) return [json.span];
  const inner = spot.around.slice(-MOST_VALUES).toReversed();
  const spans = inner.flatMap(span => [contentsOf(embedded.text, span), span]).filter(holds(at));
  return [...spans.map(span => embedded.toSource(span)), json.span];
}

/** What stands between the quotation marks or brackets at the ends of a span; the span where none do. */
function contentsOf(text: string, span: Span): Span {
  const ends = text.charAt(span.start) + text.charAt(span.end - 1);
  const isEnclosed = span.end - span.start > 1 && (ends === '""' || ends === '{}' || ends === '[]');
  return isEnclosed ? { start: span.start + 1, end: span.end - 1 } : span;
}

function holds(offset: number): (span: Span) => boolean {
  return ({ start, end }) => start <= offset && offset <= end;
}
