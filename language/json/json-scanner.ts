import type { Span } from '../../core/text/span.ts';

/*
 * Our own scanner, because that of `jsonc-parser`, on which the JSON language service is built, accepts
 * comments, and reports neither the place of a wrong escape nor a wrong number or word as one token.
 */

/** Faults of a text that should be one JSON value. */
export type JsonFaultKind =
  | 'missing value'
  | 'missing key'
  | 'missing colon'
  | 'missing comma'
  | 'trailing comma'
  | 'stray colon'
  | 'stray bracket'
  | 'open bracket'
  | 'open string'
  | 'control character'
  | 'wrong escape'
  | 'wrong number'
  | 'wrong word'
  | 'rest';

/** A violation of the JSON grammar, with its span. */
export interface JsonFault {
  readonly kind: JsonFaultKind;
  readonly span: Span;
  /** The bracket that is not closed. */
  readonly opener?: Span | undefined;
}

/** A word is `true`, `false`, `null`, or one that JSON does not define. */
export type JsonTokenKind = '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'number' | 'word' | 'end';

export interface JsonToken extends Span {
  readonly kind: JsonTokenKind;
  /** A fault of the token itself. */
  readonly fault: JsonFault | undefined;
}

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const LITERAL = /^(?:true|false|null)$/;
/** Maximum length of the words that JSON defines. */
const LONGEST_WORD = 5;

/**
 * Splits a text into JSON tokens (RFC 8259), followed by an `end` token. Never fails: invalid text becomes a
 * word or string with a fault. One pass.
 */
export function* scanJson(text: string): Generator<JsonToken, void> {
  let at = 0;
  for (;;) {
    while (isBlank(text.charCodeAt(at))) at++;
    if (at >= text.length) break;
    const token = readToken(text, at);
    yield token;
    at = token.end;
  }
  yield { kind: 'end', start: text.length, end: text.length, fault: undefined };
}

function readToken(text: string, start: number): JsonToken {
  const code = text.charCodeAt(start);
  const mark = findPunctuation(code);
  if (mark) return { kind: mark, start, end: start + 1, fault: undefined };
  return code === QUOTE ? readString(text, start) : readWord(text, start);
}

function findPunctuation(code: number): JsonTokenKind | undefined {
  switch (code) {
    case 0x7b:
      return '{';
    case 0x7d:
      return '}';
    case 0x5b:
      return '[';
    case 0x5d:
      return ']';
    case 0x3a:
      return ':';
    case 0x2c:
      return ',';
    default:
      return undefined;
  }
}

const QUOTE = 34;
const BACKSLASH = 92;

function readString(text: string, start: number): JsonToken {
  let fault: JsonFault | undefined;
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return { kind: 'string', start, end: at + 1, fault };
    if (code === BACKSLASH) {
      const length = escapeLength(text, at);
      if (length === 0) fault ??= { kind: 'wrong escape', span: { start: at, end: nextEnd(text, at) } };
      // Any character after a backslash does not end the string.
      at += Math.max(length, 2) - 1;
    } else if (code < 0x20) fault ??= { kind: 'control character', span: { start: at, end: at + 1 } };
  }
  const end = text.length;
  return { kind: 'string', start, end, fault: fault ?? { kind: 'open string', span: { start, end } } };
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** The length of the escape at `at`; 0 if it is invalid. */
function escapeLength(text: string, at: number): number {
  ESCAPE.lastIndex = at;
  return ESCAPE.exec(text)?.[0].length ?? 0;
}

/** The end of a backslash and the character after it, which may be a surrogate pair. */
function nextEnd(text: string, at: number): number {
  return Math.min(text.length, at + 1 + ((text.codePointAt(at + 1) ?? 0) > 0xffff ? 2 : 1));
}

function readWord(text: string, start: number): JsonToken {
  let end = start + 1;
  while (end < text.length && !endsWord(text, end)) end++;
  const span = { start, end };
  const word = text.slice(start, end);
  if (NUMBER.test(word)) return { kind: 'number', ...span, fault: undefined };
  if (end - start <= LONGEST_WORD && LITERAL.test(word)) return { kind: 'word', ...span, fault: undefined };
  const isNumber = /^[+-]?\.?[0-9]/.test(word.slice(0, 3));
  const kind = isNumber ? 'number' : 'word';
  return { kind, ...span, fault: { kind: isNumber ? 'wrong number' : 'wrong word', span } };
}

function endsWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === QUOTE || isBlank(code) || findPunctuation(code) !== undefined;
}

/** Blanks of JSON: no other white space. */
function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13;
}
