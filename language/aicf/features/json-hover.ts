import { roundedNumber } from '../../json/json-number.ts';
import { printJson } from '../../json/json-layout.ts';
import { findJsonSpot, type JsonSpot } from '../../json/json-spot.ts';
import { readJsonString, type JsonTree, type JsonValue } from '../../json/json-tree.ts';
import type { Hover } from '../../support.ts';
import type { ToolTable } from '../../tools.ts';
import { countOf, countPoints, showCount } from '../../../core/text/count.ts';
import { escapeMarkdown, fenceCode } from '../../../core/text/markup.ts';
import { touchesOffset } from '../../../core/text/span.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import type { CursorPlace } from '../cursor.ts';
import { findLinkedJson, findSchema, readLinked } from '../linked-json.ts';
import { textFacts } from './field-facts.ts';

type FieldPlace = Extract<CursorPlace, { kind: 'field' }>;

/** Longer JSON is not parsed. */
const LONGEST_READ = 1 << 20;
const MAX_PRINTED = 2_000;
const MAX_TEXT = 400;
const LONGEST_PATH = 400;

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

/** Text from an agent, in Markdown. */
function showWords(text: string): string {
  return escapeMarkdown(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
}

function joinParts(parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined && part !== '').join('\n\n');
}

function describeSpot(text: string, { fault }: JsonTree, { path, value }: JsonSpot): string {
  const shown = path.length > LONGEST_PATH ? `…${path.slice(-LONGEST_PATH)}` : path;
  const head = `**${escapeMarkdown(shown)}**`;
  if (!value) return `${head}: no value yet`;
  const source = text.slice(value.start, value.end);
  const isNested = value.kind === 'object' || value.kind === 'array';
  // In invalid JSON the end of an object or array is not known.
  const details = isNested ? (fault ? undefined : printValue(source)) : describeScalar(source, value);
  return joinParts([`${head}: ${describeType(text, value)}`, details]);
}

function describeType(text: string, value: JsonValue): string {
  const { members, start, end } = value;
  switch (value.kind) {
    case 'object':
      return `object of ${countOf(members.length, 'member')}`;
    case 'array':
      return `array of ${countOf(members.length, 'value')}`;
    case 'string': {
      const decoded = readJsonString(text, value);
      return `string, ${countOf(countPoints(decoded), 'character')}, ${countOf(utf8Length(decoded), 'byte')} in UTF-8`;
    }
    case 'number':
      return 'number';
    case 'word': {
      const word = text.slice(start, end);
      if (word === 'null') return 'null';
      return word === 'true' || word === 'false' ? 'boolean' : 'no value of JSON';
    }
  }
}

function describeScalar(source: string, { kind }: JsonValue): string | undefined {
  if (kind === 'number') {
    const rounded = roundedNumber(source);
    if (rounded === undefined) return undefined;
    return `Readers that hold numbers as doubles, as most do, read ${escapeMarkdown(rounded)}.`;
  }
  if (kind !== 'string' || !source.includes('\\')) return undefined;
  const decoded = readJsonString(source, { start: 0, end: source.length });
  const shown = decoded.length > MAX_TEXT ? `${decoded.slice(0, MAX_TEXT)}…` : decoded;
  return `Without its escapes it reads:\n\n${fenceCode(shown, 'text')}`;
}

function printValue(source: string): string | undefined {
  const { text, isCut } = printJson(source, MAX_PRINTED);
  if (text === source.trim()) return undefined;
  const note = `The first ${showCount(MAX_PRINTED)} characters.`;
  return isCut ? `${fenceCode(`${text}…`, 'json')}\n\n${note}` : fenceCode(text, 'json');
}
