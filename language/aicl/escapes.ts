import type { Characters } from '../../core/text/source-text.ts';

/** A run of backslashes before the letters of an escape, from its first one on. Linear: no match begins inside a run. */
const ESCAPES = /(?<!\\)(\\+)(u005d|u000d)/gi;

/** What a text cannot hold as it is, with the backslashes before it, and what would be read as an escape behind them. */
const SPECIAL = /(?<!\\)(\\*)(\]|\r|u005d|u000d)/gi;

/** Brackets with the backslashes before them, and those of the old escape. */
const BRACKETS = /(?<!\\)(\\*)\]/g;
const OLD_ESCAPES = /(?<!\\)(\\+)(\]|$)/g;

/** The six characters that mean a bracket and a carriage return. */
const BRACKET = String.raw`\u005D`;
const RETURN = String.raw`\u000D`;

/** Where a text is written: in a file, whose line ends editors change, or on the wire, where a CR is data. */
export type TextPlace = 'file' | 'wire';

/**
 * The text that an atom's source means (reading of LightAICL, section 1.2): a run of backslashes directly before `u005D` or
 * `u000D` is read in pairs, each one backslash, and an odd last one makes the character. Every other backslash is itself.
 */
export function unescapeText(source: string): string {
  return source.includes('\\u00')
    ? replaceEach(source, ESCAPES, (run, letters) => {
        const backslashes = '\\'.repeat(run.length >> 1);
        if (run.length % 2 === 0) return backslashes + letters;
        return backslashes + (letters[3] === '5' ? ']' : '\r');
      })
    : source;
}

/** The text of a source that is read as if `\]` were a bracket (`aicl/old-escape`). */
export function unescapeOldText(source: string): string {
  return unescapeText(respellOldText(source));
}

/** A source that is read as if `\]` were a bracket, as it is written today: backslashes before one, and at the end, are pairs. */
export function respellOldText(source: string): string {
  return replaceEach(source, OLD_ESCAPES, (run, close) => escapeText('\\'.repeat(run.length >> 1) + close));
}

/** A source that holds brackets as they are, with the same meaning. */
export function respellText(source: string): string {
  return replaceEach(source, BRACKETS, run => escapeText(`${run}]`));
}

/**
 * Writes a text so that `unescapeText` reads it back: `]`, and in a file CR, are spelled; backslashes directly before them, or
 * before the letters of an escape, are doubled; nothing else changes.
 */
export function escapeText(text: string, place: TextPlace = 'file'): string {
  if (!/[\]\r]|\\u00/.test(text)) return text;
  return replaceEach(text, SPECIAL, (run, what) => {
    if (what === '\r' && place === 'wire') return run + what;
    if (what === '\r') return run + run + RETURN;
    return run + run + (what === ']' ? BRACKET : what);
  });
}

/**
 * What is written into a text between two stretches of its source, so that the text between their texts is `text`: a run of
 * backslashes before it, and an escape behind it, belong together with its own.
 */
export function escapeInside(before: string, text: string, after: string): string {
  const run = countBackslashes(before, 0, before.length);
  const next = /^\\*u00[05]d/i.exec(after)?.[0] ?? '';
  const written = escapeText('\\'.repeat(run) + text + unescapeText(next));
  return written.slice(run, written.length - next.length);
}

/** An escape in a source: what it means, and where it ends. */
export interface Escape {
  readonly character: ']' | '\r';
  readonly end: number;
}

/** The escapes of a source, in their order. */
export function* findEscapes(source: string): Generator<Escape> {
  for (const { 0: found, 1: run = '', 2: letters = '', index } of source.matchAll(ESCAPES))
    if (run.length % 2 === 1) yield { character: letters[3] === '5' ? ']' : '\r', end: index + found.length };
}

/** A message of a file as it is sent: `\u000D` as CR. Escapes are in texts alone, so the message is read as a whole. */
export function sendReturns(message: string): string {
  return replaceEach(message, ESCAPES, (run, letters) =>
    letters[3] === '5' || run.length % 2 === 0 ? run + letters : `${'\\'.repeat(run.length >> 1)}\r`,
  );
}

/** So many pieces of a text are joined at a time: a text may hold a million matches, and the engine would store them all. */
const MOST_PIECES = 4096;

/** Replaces each match of a pattern, by its two groups. */
function replaceEach(
  text: string,
  pattern: RegExp,
  replacementOf: (run: string, what: string) => string,
): string {
  const joined: string[] = [];
  let pieces: string[] = [];
  let from = 0;
  for (const { 0: found, 1: run = '', 2: what = '', index } of text.matchAll(pattern)) {
    pieces.push(text.slice(from, index), replacementOf(run, what));
    from = index + found.length;
    if (pieces.length < MOST_PIECES) continue;
    joined.push(pieces.join(''));
    pieces = [];
  }
  return from === 0 ? text : [...joined, ...pieces, text.slice(from)].join('');
}

/** True where the letters of an escaped bracket stand. */
export function isBracketEscape(text: Characters, at: number): boolean {
  return text.charCodeAt(at) === LETTER_U && text.slice(at, at + LETTERS).toLowerCase() === 'u005d';
}

/** How many backslashes are directly before `end`, not looking before `from`. */
export function countBackslashes(text: Characters, from: number, end: number): number {
  let at = end;
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return end - at;
}

const BACKSLASH = 92;
const LETTER_U = 117;
const LETTERS = 5;
