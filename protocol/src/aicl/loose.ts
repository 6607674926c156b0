import { FULL_WIDTH, OPEN, COLON, isBlank, isLineEnd } from './characters.ts';
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
  | {
      readonly type: 'close' | 'comma' | 'colon' | 'unknown' | 'junk';
      readonly start: number;
      readonly end: number;
    };

/**
 * The piece at `at`, where no blank stands. Every character belongs to some piece, so that nothing of a broken text is
 * lost. Full-width punctuation and upper-case type letters count as what was meant; junk runs to the next bracket or line end.
 */
export function readPiece(scanner: Scanner, text: string, at: number, limit: number): Piece {
  const kind = kindAt(text, at) ?? meantKindAt(text, at);
  if (kind === 'list' || kind === 'dict') return { type: 'open', kind, start: at, end: at + CONTENT_START };
  if (kind !== undefined) {
    const atomEnd = scanner.findAtomEnd(kind, at + CONTENT_START, limit);
    return { type: 'atom', kind, start: at, end: atomEnd.end, atomEnd };
  }
  const character = text.charAt(at);
  switch (FULL_WIDTH.get(character) ?? character) {
    case ']':
      return { type: 'close', start: at, end: at + 1 };
    case ',':
      return { type: 'comma', start: at, end: at + 1 };
    case ':':
      return { type: 'colon', start: at, end: at + 1 };
    case '[':
      return { type: 'unknown', start: at, end: findUnknownEnd(text, at, limit) };
    default:
      return { type: 'junk', start: at, end: findJunkEnd(text, at, limit) };
  }
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
  const isLine = text.charAt(at) === '#';
  let end = at + 1;
  for (; end < limit; end++) {
    const code = text.charCodeAt(end);
    if (isLineEnd(code) || (!isLine && (text.charAt(end) === ']' || isValueStart(text, end)))) break;
  }
  while (end > at + 1 && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** True where a value of a known type opens. */
export function isValueStart(text: string, at: number): boolean {
  return text.charCodeAt(at) === OPEN && text.charCodeAt(at + 2) === COLON && kindAt(text, at) !== undefined;
}
