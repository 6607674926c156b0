import type { AicfSide } from '../../../core/catalog/aicf.ts';
import { countOf, countPoints } from '../../../core/text/count.ts';
import { parseJson } from '../../../core/text/json.ts';
import { fenceCode } from '../../../core/text/markdown.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import { decodeField } from '../codec.ts';

/** A longer field is not parsed. */
const LONGEST_READ = 1 << 20;
const MOST_SHOWN = 400;

/** What is to be known of a field's value: what kind of JSON it is, how long its text is, what escapes read as. */
export function fieldFacts(raw: string, side: AicfSide): string {
  const text = decodeField(raw, side);
  const facts = textFacts(text);
  if (raw === text) return facts;
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  return `${facts} Without its escapes it reads:\n\n${fenceCode(shown, 'text')}`;
}

/** What kind of JSON a text is, and how long it is. */
export function textFacts(text: string): string {
  const length = `${countOf(countPoints(text), 'character')}, ${countOf(utf8Length(text), 'byte')} in UTF-8`;
  return `${describeJson(text) ?? 'Text'}, ${length}.`;
}

/** Only an object or an array is told from text: a number is both. */
function describeJson(text: string): string | undefined {
  if (text.length > LONGEST_READ || !/^\s*[{[]/.test(text)) return undefined;
  const value = parseJson(text);
  if (Array.isArray(value)) return `JSON array of ${countOf(value.length, 'value')}`;
  return typeof value === 'object' && value !== null
    ? `JSON object of ${countOf(Object.keys(value).length, 'member')}`
    : undefined;
}
