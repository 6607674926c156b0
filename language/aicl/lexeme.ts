import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import type { WorkCounter } from '../../core/text/work.ts';
import { CONTENT_START } from './ast.ts';
import { AtomEnds, type AtomEnd, type AtomKind } from './atom-end.ts';
import { FOREIGN_SPACE, FULL_WIDTH, OPEN, SEPARATORS, isBlank, isLineEnd, skipBlanks } from './characters.ts';
import type { Run } from './run.ts';
import { kindAt } from './scanner.ts';

/**
 * What stands at a place of a text that the grammar may not accept, told from what follows it alone: a lexeme that
 * moves stays the same. Every character but blanks belongs to one, so that nothing of a broken text is lost. Full-width
 * punctuation and upper-case type letters count as what was meant.
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
    /** `[x:…]` with a type that does not exist. */
    | { readonly type: 'comma' | 'colon' | 'unknown' }
    | { readonly type: 'run'; readonly run: Run }
  );

/** Where a lexeme stands: directly behind the head of a group or a comma, or elsewhere. */
export type LexemePlace =
  | 'entry'
  | 'inside'
  /** Deeper than values may nest. */
  | 'deep';

/** Where lexemes come from: a text, or what is kept of one. */
export interface LexemeSource {
  /**
   * The lexeme at an offset where no blank stands. A run of whole entries may be one where entries begin.
   */
  lexemeAt(at: number, place: LexemePlace): Lexeme;
  /** The lexeme at an offset as it would be if the text ended at `end`. */
  lexemeBefore(end: number, at: number, place: LexemePlace): Lexeme;
}

/** Cuts lexemes off a text. */
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

  /** The offset after the last character that the lexemes since it was last set depend on. */
  lookedTo = 0;

  lexemeAt(at: number): Lexeme {
    this.#ends.lookedTo = 0;
    const lexeme = this.#read(at);
    this.#look(Math.max(this.#ends.lookedTo, lexeme.end, at + CONTENT_START));
    return lexeme;
  }

  lexemeBefore(end: number, at: number): Lexeme {
    // One for all, because it remembers where no bracket is.
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

  /** Where a value ends that opens with a full-width bracket: at the first bracket of either width on its line. */
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

  /** Words run to a bracket or to the end of their line. */
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

/** A lexeme moved by an offset. */
export function moveLexeme(lexeme: Lexeme, by: number): Lexeme {
  const span = { start: lexeme.start + by, end: lexeme.end + by };
  return lexeme.type === 'atom'
    ? { ...lexeme, ...span, contentEnd: lexeme.contentEnd + by }
    : { ...lexeme, ...span };
}

/** True where a comma and the key of another field stand at `at`. */
export function isNextField(text: Characters, at: number): boolean {
  return /[,，]/.test(text.slice(at, at + 1)) && kindAt(text, skipBlanks(text, at + 1)) === 'text';
}

/** True where the last thing before `at` but white space is a comma, a colon, or the head of a group, which ends in one. */
export function followsSeparator(text: Characters, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && isBlank(text.charCodeAt(before))) before--;
  return before >= 0 && /[,:，：]/.test(text.slice(before, before + 1));
}

/** True where a value of a known type opens. */
export function isValueStart(text: Characters, at: number): boolean {
  return text.charCodeAt(at) === OPEN && kindAt(text, at) !== undefined;
}

/** A value whose bracket or colon is full-width or whose letter is upper case, as in `［s：text]` or `[S:text]`. */
function meantKindAt(text: string, at: number): ReturnType<typeof kindAt> {
  const head = text.slice(at, at + CONTENT_START);
  if (!/^[[［].[:：]$/u.test(head)) return undefined;
  return kindAt(`[${head.charAt(1).toLowerCase()}:`, 0);
}

/**
 * `[x:…]` with a type that does not exist: to its bracket, not past a line end or another bracket. What has no letter
 * after its bracket, such as JSON, is taken to the end of its line or to the next value.
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

/** Words end at a bracket or with their line; a line that begins with `#` is one piece. */
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
  // A separator at the end belongs to what comes next.
  const isSeparated = !isLine && end > at + 1 && /[:,：，]/.test(text.charAt(end - 1));
  return { end: isSeparated ? end - 1 : end, lookedTo };
}
