import type { AicfSide } from '../../../core/catalog/aicf.ts';
import { countOf, countPoints } from '../../../core/text/count.ts';
import { parseJson } from '../../../core/text/json.ts';
import { fenceCode } from '../../../core/text/markup.ts';
import { utf8Length } from '../../../core/text/utf8.ts';
import { decodeField } from '../codec.ts';

/** Maximum length of a field that is parsed as JSON. */
const LONGEST_READ = 1 << 20;
const MAX_SHOWN = 400;

/** Facts about the value of a field: its kind of JSON, its length, and its text without escapes. */
export function fieldFacts(raw: string, side: AicfSide): string {
  const text = decodeField(raw, side);
  const facts = textFacts(text);
  if (raw === text) return facts;
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return `${facts} Without its escapes it reads:\n\n${fenceCode(shown, 'text')}`;
}

/** The kind of JSON in a text, and its length in characters and bytes. */
export function textFacts(text: string): string {
  const length = `${countOf(countPoints(text), 'character')}, ${countOf(utf8Length(text), 'byte')} in UTF-8`;
  return `${describeJson(text) ?? 'Text'}, ${length}.`;
}

/** Only objects and arrays are recognised, because a number is also text. */
function describeJson(text: string): string | undefined {
  if (text.length > LONGEST_READ || !/^\s*[{[]/.test(text)) return undefined;
  const value = parseJson(text);
  if (Array.isArray(value)) return `JSON array of ${countOf(value.length, 'value')}`;
  return typeof value === 'object' && value !== null
    ? `JSON object of ${countOf(Object.keys(value).length, 'member')}`
    : undefined;
}
