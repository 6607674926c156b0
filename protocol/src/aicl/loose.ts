import {
  COLON,
  FOREIGN_SPACE,
  FULL_WIDTH,
  OPEN,
  SEPARATORS,
  isBlank,
  isLineEnd,
  skipBlanks,
} from './characters.ts';
import { CONTENT_START } from './ast.ts';
import { kindAt, type AtomEnd, type AtomKind, type Scanner } from './scanner.ts';

/** What stands at a place of a text that the grammar may not accept. */
export type Piece =
  | {
      readonly type: 'atom';
      readonly kind: AtomKind;
      readonly start: number;
      readonly end: number;
      readonly atomEnd: AtomEnd;
    }
  | { readonly type: 'open'; readonly kind: 'list' | 'dict'; readonly start: number; readonly end: number }
  | { readonly type: Exclude<PieceType, 'atom' | 'open'>; readonly start: number; readonly end: number };

export type PieceType =
  | 'atom'
  | 'open'
  | 'close'
  | 'comma'
  | 'colon'
  /** `[x:…]` with a type that does not exist. */
  | 'unknown'
  /** `text]`, a value whose opening bracket is missing. */
  | 'headless'
  /** A `]` that closes nothing, by what comes after it. */
  | 'extra'
  | 'junk';

/**
 * Reads a text that the grammar may not accept, piece by piece. Every character belongs to some piece, so that nothing
 * of a broken text is lost. Full-width punctuation and upper-case type letters count as what was meant.
 */
export class LooseReader {
  readonly #scanner: Scanner;
  readonly #text: string;
  readonly #limit: number;
  readonly #options: LooseOptions;
  #isDict = false;
  /** How many groups are open after the last piece. */
  depth = 0;

  constructor(scanner: Scanner, text: string, limit: number, options: LooseOptions) {
    this.#scanner = scanner;
    this.#text = text;
    this.#limit = limit;
    this.#options = options;
  }

  /** The piece at `at`, where no blank stands. Asked in the order of the text. */
  read(at: number): Piece {
    const piece = this.#readPiece(at);
    if (piece.type === 'open') {
      if (this.depth === 0) this.#isDict = piece.kind === 'dict';
      this.depth++;
    }
    if (piece.type === 'close') this.depth--;
    return piece;
  }

  #readPiece(at: number): Piece {
    const text = this.#text;
    const kind = kindAt(text, at) ?? meantKindAt(text, at);
    if (kind === 'list' || kind === 'dict') return { type: 'open', kind, start: at, end: at + CONTENT_START };
    if (kind !== undefined) {
      const atomEnd =
        findWideEnd(text, at, this.#limit) ??
        this.#scanner.findAtomEnd(kind, at + CONTENT_START, this.#limit);
      return { type: 'atom', kind, start: at, end: atomEnd.end, atomEnd };
    }
    const character = text.charAt(at);
    switch (FULL_WIDTH.get(character) ?? character) {
      case ']':
        return { type: this.#isExtra(at) ? 'extra' : 'close', start: at, end: at + 1 };
      case ',':
        return { type: 'comma', start: at, end: at + 1 };
      case ':':
        return { type: 'colon', start: at, end: at + 1 };
      case '[':
        return { type: 'unknown', start: at, end: findUnknownEnd(text, at, this.#limit) };
      default:
        return this.#readJunk(at);
    }
  }

  /**
   * A bracket before a colon closes nothing, for no group is a key; nor does one that would end the message while
   * another field of it follows.
   */
  #isExtra(at: number): boolean {
    const next = skipBlanks(this.#text, at + 1);
    if (next >= this.#limit || this.depth === 0) return false;
    if (/[:：]/.test(this.#text.charAt(next))) return true;
    return this.depth === 1 && this.#isDict && isNextField(this.#text, next);
  }

  /** Words run to a bracket or to the end of their line. Before a `]`, where a value belongs, they may have lost their head. */
  #readJunk(at: number): Piece {
    const separator = SEPARATORS.get(this.#text.charAt(at));
    if (separator !== undefined && isValueStart(this.#text, skipBlanks(this.#text, at + 1))) {
      return { type: separator === ':' ? 'colon' : 'comma', start: at, end: at + 1 };
    }
    const end = findJunkEnd(this.#text, at, this.#limit);
    const isHeadless = this.#options.headless && this.#text.charAt(end) === ']' && end < this.#limit;
    if (isHeadless && followsSeparator(this.#text, at)) return { type: 'headless', start: at, end: end + 1 };
    return { type: 'junk', start: at, end };
  }
}

export interface LooseOptions {
  /** True where words before a `]` are a value without its opening bracket; else the bracket closes what is open. */
  readonly headless: boolean;
}

/** True where a comma and the key of another field stand at `at`. */
export function isNextField(text: string, at: number): boolean {
  return /[,，]/.test(text.charAt(at)) && kindAt(text, skipBlanks(text, at + 1)) === 'text';
}

/** True where the last thing before `at` but white space is a comma, a colon, or the head of a group, which ends in one. */
export function followsSeparator(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && isBlank(text.charCodeAt(before))) before--;
  return /[,:，：]/.test(text.charAt(before));
}

/** A value whose bracket or colon is full-width or whose letter is upper case, as in `［s：text]` or `[S:text]`. */
function meantKindAt(text: string, at: number): ReturnType<typeof kindAt> {
  const head = text.slice(at, at + CONTENT_START);
  if (!/^[[［].[:：]$/u.test(head)) return undefined;
  return kindAt(`[${head.charAt(1).toLowerCase()}:`, 0);
}

/** Where a value ends that opens with a full-width bracket: at the first bracket of either width on its line. */
function findWideEnd(text: string, at: number, limit: number): AtomEnd | undefined {
  if (text.charAt(at) !== '［') return undefined;
  for (let end = at + CONTENT_START; end < limit && !isLineEnd(text.charCodeAt(end)); end++) {
    if (/[\]］]/.test(text.charAt(end))) return { contentEnd: end, end: end + 1 };
  }
  return undefined;
}

/**
 * `[x:…]` with a type that does not exist: to its bracket, not past a line end or another bracket. What has no letter
 * after its bracket, such as JSON, is taken to the end of its line or to the next value.
 */
function findUnknownEnd(text: string, at: number, limit: number): number {
  const isTyped = /[A-Za-z]/.test(text.charAt(at + 1));
  for (let end = at + 1; end < limit; end++) {
    if (isLineEnd(text.charCodeAt(end)) || isValueStart(text, end)) return end;
    if (isTyped && text.charAt(end) === ']') return end + 1;
    if (isTyped && text.charCodeAt(end) === OPEN) return end;
  }
  return limit;
}

/** Words end at a bracket or with their line; a line that begins with `#` is one piece. */
function findJunkEnd(text: string, at: number, limit: number): number {
  if (FOREIGN_SPACE.test(text.charAt(at))) {
    let end = at + 1;
    while (end < limit && FOREIGN_SPACE.test(text.charAt(end))) end++;
    return end;
  }
  const isLine = text.charAt(at) === '#';
  let end = at + 1;
  for (; end < limit; end++) {
    const code = text.charCodeAt(end);
    if (isLineEnd(code) || (!isLine && (text.charAt(end) === ']' || isValueStart(text, end)))) break;
  }
  while (end > at + 1 && isBlank(text.charCodeAt(end - 1))) end--;
  // A separator at the end belongs to what comes next.
  return !isLine && end > at + 1 && /[:,：，]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

/** True where a value of a known type opens. */
export function isValueStart(text: string, at: number): boolean {
  return text.charCodeAt(at) === OPEN && text.charCodeAt(at + 2) === COLON && kindAt(text, at) !== undefined;
}
