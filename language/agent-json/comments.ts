import type { Span } from '../../core/text/span.ts';
import { scanJson } from '../json/json-scanner.ts';

/** A text with comments, and the same text as plain JSON. All of them have the same offsets. */
export interface UncommentedText {
  /** The text with blanks in place of comments and a byte order mark. */
  readonly plain: string;
  /** `plain` with a blank in place of each comma before a closing bracket. */
  readonly json: string;
  readonly comments: readonly Span[];
}

/** Replaces comments and trailing commas by blanks. Never fails; linear in the text. */
export function removeComments(text: string): UncommentedText {
  const comments = listComments(text);
  const mark = text.startsWith('\ufeff') ? [{ start: 0, end: 1 }] : [];
  const plain = blank(text, [...mark, ...comments]);
  return { plain, json: blank(plain, listTrailingCommas(plain)), comments };
}

const OPENING = /"|\/\/|\/\*/g;
const LINE_END = /[\r\n]/g;

function listComments(text: string): readonly Span[] {
  const found: Span[] = [];
  OPENING.lastIndex = 0;
  for (let match = OPENING.exec(text); match; match = OPENING.exec(text)) {
    const { 0: mark, index: start } = match;
    const end =
      mark === '"' ? stringEnd(text, start) : mark === '//' ? lineEnd(text, start) : blockEnd(text, start);
    if (mark !== '"') found.push({ start, end });
    OPENING.lastIndex = end;
  }
  return found;
}

/** The end of a string; without a quotation mark that of its line, so that comments below remain comments. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return at + 1;
    if (character === '\n' || character === '\r') return at;
    if (character === '\\' && text[at + 1] !== '\n' && text[at + 1] !== '\r') at++;
  }
  return text.length;
}

function lineEnd(text: string, start: number): number {
  LINE_END.lastIndex = start;
  return LINE_END.exec(text)?.index ?? text.length;
}

function blockEnd(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? text.length : end + 2;
}

function listTrailingCommas(plain: string): readonly Span[] {
  const found: Span[] = [];
  let comma: Span | undefined;
  for (const { kind, start, end } of scanJson(plain)) {
    if (comma && (kind === '}' || kind === ']')) found.push(comma);
    comma = kind === ',' ? { start, end } : undefined;
  }
  return found;
}

/** Replaces all characters of spans except line ends by blanks. */
function blank(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}
