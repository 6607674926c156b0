import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';

/** A run of backslashes before the letters of an escape. Linear, because no match starts inside a run. */
const ESCAPES = /(?<!\\)(\\+)(u005d|u000d)/gi;

/**
 * Characters that a text cannot contain literally, and letters that would form an escape, each with the
 * backslashes before it.
 */
const SPECIAL = /(?<!\\)(\\*)(\]|\r|u005d|u000d)/gi;

/** Brackets with the backslashes before them; in the old notation also backslashes at the end. */
const BRACKETS = /(?<!\\)(\\*)\]/g;
const OLD_ESCAPES = /(?<!\\)(\\+)(\]|$)/g;

/** The escapes of a bracket and a carriage return. */
const BRACKET = String.raw`\u005D`;
const RETURN = String.raw`\u000D`;

/** Where a text is written: in a file, whose line ends editors may change, or on the wire, where a CR is data. */
export type TextPlace = 'file' | 'wire';

/**
 * Decodes the source of a text (reading of LightAICL, section 1.2): in a run of backslashes directly before
 * `u005D` or `u000D` each pair is one backslash, and an odd last one forms the escape. Other backslashes are
 * literal.
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

/** Decodes a source in which `\]` is an escaped bracket (`aicl/old-escape`). */
export function unescapeOldText(source: string): string {
  return unescapeText(respellOldText(source));
}

/**
 * Converts a source with `\]` escapes to the current notation. Backslashes before a bracket, and at the end,
 * are read in pairs.
 */
export function respellOldText(source: string): string {
  return replaceEach(source, OLD_ESCAPES, (run, close) => escapeText('\\'.repeat(run.length >> 1) + close));
}

/** Escapes the literal brackets of a source, preserving its meaning. */
export function respellText(source: string): string {
  return replaceEach(source, BRACKETS, run => escapeText(`${run}]`));
}

/**
 * Encodes a text so that `unescapeText` decodes it: escapes `]`, and in files CR; doubles backslashes
 * directly before these or before the letters of an escape; changes nothing else.
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
 * Encodes `text` for insertion between the source parts `before` and `after`, taking into account that
 * backslashes at the end of `before` and escape letters at the start of `after` combine with it. One case
 * cannot be prevented: letters that complete an escape begun in `before` turn into a character.
 */
export function escapeInside(before: string, text: string, after: string): string {
  const run = countBackslashes(before, 0, before.length);
  const own = '\\'.repeat(run) + text;
  const whole = /^\\*u00[05]d/i.exec(after)?.[0];
  const next = whole ?? endOfEscape(own.slice(-LETTERS), after.slice(0, LETTERS));
  const written = escapeText(own + unescapeText(next));
  return written.slice(run, written.length - next.length);
}

/** The letters at the start of `after` that complete an escape whose backslash is in `before`. */
function endOfEscape(before: string, after: string): string {
  for (const { 0: found, index } of (before + after).matchAll(ESCAPES))
    if (index < before.length) return after.slice(0, Math.max(0, index + found.length - before.length));
  return '';
}

/** An escape in a source: its character and its end offset. */
export interface Escape {
  readonly character: ']' | '\r';
  readonly end: number;
}

/** The escapes of a source, in order. */
export function* findEscapes(source: string): Generator<Escape> {
  for (const { 0: found, 1: run = '', 2: letters = '', index } of source.matchAll(ESCAPES))
    if (run.length % 2 === 1) yield { character: letters[3] === '5' ? ']' : '\r', end: index + found.length };
}

/**
 * Converts a message from file to wire notation: `\u000D` becomes CR. Escapes occur in texts only, so the
 * whole message can be converted at once.
 */
export function sendReturns(message: string): string {
  return replaceEach(message, ESCAPES, (run, letters) =>
    letters[3] === '5' || run.length % 2 === 0 ? run + letters : `${'\\'.repeat(run.length >> 1)}\r`,
  );
}

/**
 * The wire text of a message (reading of LightAICL, section 1.4): the source from its first to its last
 * bracket, with CRLF as LF, `\u000D` as CR, and payloads without white space.
 */
export function printWireText(
  text: { slice(start: number, end: number): string },
  { start, end }: Span,
  payloads: readonly Span[],
): string {
  const parts: string[] = [];
  let at = start;
  for (const payload of payloads) {
    parts.push(text.slice(at, payload.start), unwrapPayload(text.slice(payload.start, payload.end)));
    at = payload.end;
  }
  parts.push(text.slice(at, end));
  return sendReturns(parts.join('').replace(/\r\n/g, '\n'));
}

/** Removes the white space of a payload. */
export function unwrapPayload(payload: string): string {
  return payload.replace(/[ \t\r\n]+/g, '');
}

/**
 * Maximum number of pieces joined at a time. A text may have a million matches; storing all pieces would take
 * too much memory.
 */
const MAX_PIECES = 4096;

/** Replaces each match of a pattern with two groups. */
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
    if (pieces.length < MAX_PIECES) continue;
    joined.push(pieces.join(''));
    pieces = [];
  }
  return from === 0 ? text : [...joined, ...pieces, text.slice(from)].join('');
}

/** True at the letters of an escaped bracket. */
export function isBracketEscape(text: Characters, at: number): boolean {
  return text.charCodeAt(at) === LETTER_U && text.slice(at, at + LETTERS).toLowerCase() === 'u005d';
}

/** The number of backslashes directly before `end`, not before `from`. */
export function countBackslashes(text: Characters, from: number, end: number): number {
  let at = end;
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at--;
  return end - at;
}

const BACKSLASH = 92;
const LETTER_U = 117;
const LETTERS = 5;
