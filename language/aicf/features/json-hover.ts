import { describeSpot, joinParts, printValue, showWords } from '../../json/describe-value.ts';
import { findJsonSpot } from '../../json/json-spot.ts';
import type { Hover } from '../../support.ts';
import type { ToolTable } from '../../tools.ts';
import { touchesOffset } from '../../../core/text/span.ts';
import type { CursorPlace } from '../cursor.ts';
import { findLinkedJson, findSchema, readLinked } from '../linked-json.ts';
import { textFacts } from './field-facts.ts';

type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;

/** Longer JSON is not parsed. */
const LONGEST_READ = 1 << 20;

/**
 * Hover text for the value or key at a position in JSON: its path, type, and value without escapes; objects
 * and arrays are printed with one line per member; the title and description of its schema follow. `about` describes the field and precedes the text for the
 * whole JSON. The span is relative to the start of the line.
 */
export function hoverJson(place: FieldPlace, tools: ToolTable, about: string | undefined): Hover | undefined {
  const json = findLinkedJson(place, tools, LONGEST_READ);
  if (!json) return undefined;
  const { text } = json.embedded;
  const tree = readLinked(json);
  const spot = findJsonSpot(tree, text, json.embedded.toEmbedded(place.offset));
  const span = spot && json.embedded.toSource(spot.span);
  // On the whole JSON, or in an escape between two values: describe the whole field.
  if (!spot || !span || spot.path === '$' || !touchesOffset(span, place.offset)) {
    const parts = [about, textFacts(text), tree.fault ? undefined : printValue(text)];
    return { span: json.span, markdown: joinParts(parts) };
  }
  const schema = findSchema(place.line, json, tools);
  const words = spot.value && schema ? schema.describe(text, spot.value) : [];
  return { span, markdown: joinParts([describeSpot(text, tree, spot), ...words.map(showWords)]) };
}
