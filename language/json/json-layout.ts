import type { TextEdit } from '../../core/text/edit.ts';
import { scanJson, type JsonTokenKind } from './json-scanner.ts';

/*
 * Our own layout, because the formatter of the JSON language service writes at least one line per member,
 * and JSON in a field has one line.
 */

/** Layouts of JSON: without blanks, with a blank after commas and colons, or with one line per member. */
export type JsonStyle = 'minified' | 'spaced' | 'indented';

/** Maximum number of indented levels. Without it the text would grow with the square of the depth. */
const DEEPEST_INDENT = 40;

/**
 * Edits that lay out JSON. Only the blanks between tokens change; numbers, strings and keys stay as written,
 * in order. The text must be valid JSON.
 */
export function layOutJson(text: string, style: JsonStyle): readonly TextEdit[] {
  return [...listGaps(text, style)].filter(
    ({ span, newText }) => text.slice(span.start, span.end) !== newText,
  );
}

/** Prints JSON with one line per member, at most `most` characters of it. */
export function printJson(text: string, most: number): { readonly text: string; readonly isCut: boolean } {
  const parts: string[] = [];
  let length = 0;
  let from = 0;
  for (const { span, newText } of listGaps(text, 'indented')) {
    const token = text.slice(from, Math.min(span.start, from + most));
    length += token.length + newText.length;
    parts.push(token, newText);
    if (length > most) return { text: parts.join('').slice(0, most), isCut: true };
    from = span.end;
  }
  return { text: parts.join(''), isCut: false };
}

/** The span before each token and at the end, with the text that belongs there. */
function* listGaps(text: string, style: JsonStyle): Generator<TextEdit, void> {
  let last: JsonTokenKind = 'end';
  let end = 0;
  let depth = 0;
  for (const { kind, start, end: next } of scanJson(text)) {
    if (kind === '}' || kind === ']') depth--;
    yield { span: { start: end, end: start }, newText: gapBetween(last, kind, style, depth) };
    if (kind === '{' || kind === '[') depth++;
    last = kind;
    end = next;
  }
}

function gapBetween(last: JsonTokenKind, next: JsonTokenKind, style: JsonStyle, depth: number): string {
  if (style === 'minified' || last === 'end' || next === 'end') return '';
  if (last === ':') return ' ';
  if (style === 'spaced') return last === ',' ? ' ' : '';
  const isAfterOpener = last === '{' || last === '[';
  const isBeforeCloser = next === '}' || next === ']';
  if (isAfterOpener && isBeforeCloser) return '';
  const breaks = isAfterOpener || isBeforeCloser || last === ',';
  return breaks ? `\n${'  '.repeat(Math.max(0, Math.min(depth, DEEPEST_INDENT)))}` : '';
}
