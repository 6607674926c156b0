import { countOf, countPoints, showCount } from '../../core/text/count.ts';
import { escapeMarkdown, fenceCode } from '../../core/text/markup.ts';
import { utf8Length } from '../../core/text/utf8.ts';
import { printJson } from './json-layout.ts';
import { roundedNumber } from './json-number.ts';
import type { JsonSpot } from './json-spot.ts';
import { readJsonString, type JsonTree, type JsonValue } from './json-tree.ts';

const MAX_PRINTED = 2_000;
const MAX_TEXT = 400;
const LONGEST_PATH = 400;

/** Text from an agent, in Markdown. */
export function showWords(text: string): string {
  return escapeMarkdown(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
}

/** Joins the parts of a text in Markdown; missing ones are left out. */
export function joinParts(parts: readonly (string | undefined)[]): string {
  return parts.filter(part => part !== undefined && part !== '').join('\n\n');
}

/** Describes a value in Markdown: its path, its type, and what is not obvious from its source. */
export function describeSpot(text: string, { fault }: JsonTree, { path, value }: JsonSpot): string {
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

/** The value with one line per member, in Markdown; undefined if it is written like that. */
export function printValue(source: string): string | undefined {
  const { text, isCut } = printJson(source, MAX_PRINTED);
  if (text === source.trim()) return undefined;
  const note = `The first ${showCount(MAX_PRINTED)} characters.`;
  return isCut ? `${fenceCode(`${text}…`, 'json')}\n\n${note}` : fenceCode(text, 'json');
}
