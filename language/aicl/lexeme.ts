import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import type { WorkCounter } from '../work.ts';
import { CONTENT_START } from './ast.ts';
import { AtomEnds, type AtomEnd, type AtomKind } from './atom-end.ts';
import {
  COMMA,
  FOREIGN_SPACE,
  FULL_WIDTH,
  OPEN,
  SEPARATORS,
  WIDE_COMMA,
  isBlank,
  isLineEnd,
  skipBlanks,
} from './characters.ts';
import type { Run } from './run.ts';
import { kindAt } from './scanner.ts';

/**
 * A lexeme of a text that the grammar may reject. It depends only on the text from its start on, so that a lexeme that
 * moves stays the same. Every character except blanks belongs to a lexeme, so that nothing of a broken text is lost.
 * Full-width punctuation and upper-case type letters are read as the characters that were meant.
 */
export type Lexeme = Span &
  (
    | {
        readonly type: 'atom';
        readonly kind: AtomKind;
        readonly contentEnd: number;
        readonly origin?: object;
      }
    | { readonly type: 'open'; readonly kind: 'list' | 'dict' }
    | { readonly type: 'close'; readonly isBefore: 'colon' | 'field' | 'value' | 'other' }
    | { readonly type: 'junk'; readonly isBeforeClose: boolean }
    /** `unknown` is `[x:…]` with a type that does not exist. */
    | { readonly type: 'comma' | 'colon' | 'unknown' }
    | { readonly type: 'run'; readonly run: Run }
  );

/** The position of a lexeme: directly after the head of a group or a comma, or elsewhere. */
export type LexemePlace =
  | 'entry'
  | 'inside'
  /** Nested deeper than values may be. */
  | 'deep';

/** A source of lexemes: a text, or the stored lexemes of one. */
export interface LexemeSource {
  /** The lexeme at an offset, which must not be a blank. At `entry` it may be a run of several complete entries. */
  lexemeAt(at: number, place: LexemePlace): Lexeme;
  /** The lexeme at an offset if the text ended at `end`. */
  lexemeBefore(end: number, at: number, place: LexemePlace): Lexeme;
}

/** Splits a text into lexemes. */
export class Lexer implements LexemeSource {
  readonly #text: string;
  readonly #work: WorkCounter;
  readonly #ends: AtomEnds;
  #ended: { readonly end: number; readonly lexer: Lexer } | undefined;

  constructor(text: string, work: WorkCounter) {
    this.#text = text;
    this.#work = work;
    this.#ends = new AtomEnds(text, work);
  }

  /** The offset after the last character on which lexemes depend, since this was last set. */
  lookedTo = 0;

  lexemeAt(at: number): Lexeme {
    this.#ends.lookedTo = 0;
    const lexeme = this.#read(at);
    this.#look(Math.max(this.#ends.lookedTo, lexeme.end, at + CONTENT_START));
    return lexeme;
  }

  lexemeBefore(end: number, at: number): Lexeme {
    // Reused for one `end`, because it remembers where no bracket is.
    if (this.#ended?.end !== end)
      this.#ended = { end, lexer: new Lexer(this.#text.slice(0, end), this.#work) };
    return this.#ended.lexer.lexemeAt(at);
  }

  #read(at: number): Lexeme {
    const text = this.#text;
    const kind = kindAt(text, at) ?? meantKindAt(text, at);
    if (kind === 'list' || kind === 'dict') return { type: 'open', kind, start: at, end: at + CONTENT_START };
    if (kind !== undefined) {
      const { contentEnd, end } = this.#findWideEnd(at) ?? this.#ends.find(kind, at + CONTENT_START);
      return { type: 'atom', kind, start: at, end, contentEnd };
    }
    const character = text.charAt(at);
    switch (FULL_WIDTH.get(character) ?? character) {
      case ']':
        return this.#readClose(at);
      case ',':
        return { type: 'comma', start: at, end: at + 1 };
      case ':':
        return { type: 'colon', start: at, end: at + 1 };
      case '[':
        return this.#readUnknown(at);
      default:
        return this.#readJunk(at);
    }
  }

  #readUnknown(at: number): Lexeme {
    const end = findUnknownEnd(this.#text, at);
    this.#look(end + CONTENT_START);
    return { type: 'unknown', start: at, end };
  }

  /** The end of a value that opens with a full-width bracket: the first closing bracket of either width on its line. */
  #findWideEnd(at: number): AtomEnd | undefined {
    const text = this.#text;
    if (text.charAt(at) !== '［') return undefined;
    let end = at + CONTENT_START;
    while (end < text.length && !/[\]］\n\r]/.test(text.charAt(end))) end++;
    this.#look(end + 1);
    return /[\]］]/.test(text.charAt(end)) ? { contentEnd: end, end: end + 1 } : undefined;
  }

  #readClose(at: number): Lexeme {
    const next = skipBlanks(this.#text, at + 1);
    const isBeforeColon = /[:：]/.test(this.#text.charAt(next));
    const isBeforeValue = isValueStart(this.#text, next);
    const isBefore = isBeforeColon
      ? 'colon'
      : isBeforeValue
        ? 'value'
        : isNextField(this.#text, next)
          ? 'field'
          : 'other';
    this.#look(skipBlanks(this.#text, next + 1) + CONTENT_START);
    return { type: 'close', isBefore, start: at, end: at + 1 };
  }

  /** Reads other text, up to a bracket or the end of its line. */
  #readJunk(at: number): Lexeme {
    const text = this.#text;
    const separator = SEPARATORS.get(text.charAt(at));
    if (separator !== undefined) {
      const next = skipBlanks(text, at + 1);
      this.#look(next + CONTENT_START);
      if (isValueStart(text, next))
        return { type: separator === ':' ? 'colon' : 'comma', start: at, end: at + 1 };
    }
    const { end, lookedTo } = findJunkEnd(text, at);
    this.#look(lookedTo);
    return { type: 'junk', isBeforeClose: text.charAt(end) === ']', start: at, end };
  }

  #look(to: number): void {
    this.lookedTo = Math.max(this.lookedTo, to);
  }
}

/** Moves a lexeme by an offset. */
export function moveLexeme(lexeme: Lexeme, by: number): Lexeme {
  const span = { start: lexeme.start + by, end: lexeme.end + by };
  return lexeme.type === 'atom'
    ? { ...lexeme, ...span, contentEnd: lexeme.contentEnd + by }
    : { ...lexeme, ...span };
}

/** True if a comma and the key of another field are at `at`. */
export function isNextField(text: Characters, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === COMMA || code === WIDE_COMMA) && kindAt(text, skipBlanks(text, at + 1)) === 'text';
}

/** True if the last character before `at`, ignoring white space, is a comma, a colon, or the end of a group's head. */
export function followsSeparator(text: Characters, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && isBlank(text.charCodeAt(before))) before--;
  return before >= 0 && /[,:，：]/.test(text.slice(before, before + 1));
}

/** True at the start of a value of a known type. */
export function isValueStart(text: Characters, at: number): boolean {
  return text.charCodeAt(at) === OPEN && kindAt(text, at) !== undefined;
}

/**
 * The kind of a value with a full-width bracket or colon or an upper-case letter, as in `［s：text]` or
 * `[S:text]`.
 */
function meantKindAt(text: string, at: number): ReturnType<typeof kindAt> {
  const head = text.slice(at, at + CONTENT_START);
  if (!/^[[［].[:：]$/u.test(head)) return undefined;
  return kindAt(`[${head.charAt(1).toLowerCase()}:`, 0);
}

/**
 * The end of `[x:…]` with an unknown type: at its bracket, but before a line end or another opening bracket.
 * Without a letter after the bracket, as in JSON, it extends to the end of the line or to the next value.
 */
function findUnknownEnd(text: string, at: number): number {
  const isTyped = /[A-Za-z]/.test(text.charAt(at + 1));
  for (let end = at + 1; end < text.length; end++) {
    if (isLineEnd(text.charCodeAt(end)) || isValueStart(text, end)) return end;
    if (isTyped && text.charAt(end) === ']') return end + 1;
    if (isTyped && text.charCodeAt(end) === OPEN) return end;
  }
  return text.length;
}

/** Text ends at a bracket or with its line; a line that starts with `#` is one lexeme. */
function findJunkEnd(text: string, at: number): { readonly end: number; readonly lookedTo: number } {
  if (FOREIGN_SPACE.test(text.charAt(at))) {
    let end = at + 1;
    while (end < text.length && FOREIGN_SPACE.test(text.charAt(end))) end++;
    return { end, lookedTo: end + 1 };
  }
  const isLine = text.charAt(at) === '#';
  let end = at + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (isLineEnd(code) || (!isLine && (text.charAt(end) === ']' || isValueStart(text, end)))) break;
  }
  const lookedTo = end + CONTENT_START;
  while (end > at + 1 && isBlank(text.charCodeAt(end - 1))) end--;
  // A separator at the end belongs to the next lexeme.
  const isSeparated = !isLine && end > at + 1 && /[:,：，]/.test(text.charAt(end - 1));
  return { end: isSeparated ? end - 1 : end, lookedTo };
}
