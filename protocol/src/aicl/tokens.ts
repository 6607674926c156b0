import { createToken, Lexer, type IToken, type TokenType } from 'chevrotain';
import type { ValueKind } from '../catalog/aicl.ts';
import type { WorkCounter } from '../text/work.ts';
import { FULL_WIDTH, SEPARATORS, skipBlanks } from './characters.ts';
import { LooseReader, type LooseOptions, type Piece, type PieceType } from './loose.ts';
import { MAX_DEPTH, Scanner } from './scanner.ts';

/** Tokens are cut by our scanner, which alone knows where a text ends; Chevrotain's lexer has no part in it. */
const token = (name: string, label: string, ...categories: TokenType[]): TokenType =>
  createToken({ name, label, pattern: Lexer.NA, categories });

export const Atom = token('Atom', 'a value');
export const TextAtom = token('TextAtom', "'[s:…]'", Atom);
export const IntAtom = token('IntAtom', "'[i:…]'", Atom);
export const FloatAtom = token('FloatAtom', "'[f:…]'", Atom);
export const BoolAtom = token('BoolAtom', "'[b:…]'", Atom);
export const TensorAtom = token('TensorAtom', "'[t:…]'", Atom);
export const ListOpen = token('ListOpen', "'[l:'");
export const DictOpen = token('DictOpen', "'[d:'");
export const Close = token('Close', "']'");
export const Colon = token('Colon', "':'");
export const Comma = token('Comma', "','");
/** `[x:…]` with a type that does not exist. */
export const UnknownAtom = token('UnknownAtom', 'a value of an unknown type');
/** `text]`, a value whose opening bracket is missing. */
export const Headless = token('Headless', 'a value without its bracket');
/** A `]` that closes nothing. */
export const ExtraClose = token('ExtraClose', "a ']' too many");
/** A list or dictionary that was read already. */
export const ReadGroup = token('ReadGroup', 'a list or a dictionary');
/** A value below the greatest depth, whole, unread. */
export const TooDeep = token('TooDeep', 'a value that is nested too deep');
/** Text that is no part of the grammar. */
export const Junk = token('Junk', 'foreign text');

export const VOCABULARY: TokenType[] = [
  Atom,
  TextAtom,
  IntAtom,
  FloatAtom,
  BoolAtom,
  TensorAtom,
  ListOpen,
  DictOpen,
  Close,
  Colon,
  Comma,
  ReadGroup,
  UnknownAtom,
  Headless,
  ExtraClose,
  TooDeep,
  Junk,
];

const TOKEN_OF_KIND: Readonly<Record<ValueKind, TokenType>> = {
  text: TextAtom,
  int: IntAtom,
  float: FloatAtom,
  bool: BoolAtom,
  tensor: TensorAtom,
  list: ListOpen,
  dict: DictOpen,
};

const TOKEN_OF_PIECE: Readonly<Record<Exclude<PieceType, 'atom' | 'open'>, TokenType>> = {
  close: Close,
  comma: Comma,
  colon: Colon,
  unknown: UnknownAtom,
  headless: Headless,
  extra: ExtraClose,
  junk: Junk,
};

/** A token with where the content of its atom ends; offsets count from the unit's start. */
export interface AiclToken extends IToken {
  readonly contentEnd: number;
}

export function isAiclToken(candidate: IToken): candidate is AiclToken {
  return 'contentEnd' in candidate;
}

export interface Tokens {
  readonly tokens: readonly AiclToken[];
  /** Offsets of characters that stand for others: full-width punctuation, upper-case type letters. */
  readonly odd: readonly number[];
}

/** Cuts a unit's text into tokens. Total and linear; nesting below MAX_DEPTH is one token. */
export function tokenize(
  text: string,
  work: WorkCounter,
  options: LooseOptions = { headless: false },
): Tokens {
  const reader = new LooseReader(new Scanner(text, work), text, text.length, options);
  const tokens: AiclToken[] = [];
  const odd: number[] = [];
  for (let at = skipBlanks(text, 0); at < text.length;) {
    let piece = reader.read(at);
    let type = tokenTypeOf(piece);
    if (piece.type === 'open' && reader.depth > MAX_DEPTH) {
      piece = { ...piece, end: skipNested(reader, text, piece.end) };
      type = TooDeep;
    }
    if (type !== TooDeep && type !== Junk) noteOdd(text, piece, odd);
    const contentEnd = piece.type === 'atom' ? piece.atomEnd.contentEnd : piece.end;
    tokens.push(makeToken(type, piece.start, piece.end, contentEnd));
    work.count++;
    at = skipBlanks(text, piece.end);
  }
  return { tokens, odd };
}

function tokenTypeOf(piece: Piece): TokenType {
  return piece.type === 'atom' || piece.type === 'open'
    ? TOKEN_OF_KIND[piece.kind]
    : TOKEN_OF_PIECE[piece.type];
}

function makeToken(type: TokenType, start: number, end: number, contentEnd: number): AiclToken {
  return {
    image: '',
    startOffset: start,
    endOffset: end - 1,
    tokenType: type,
    tokenTypeIdx: type.tokenTypeIdx ?? 0,
    contentEnd,
  };
}

/** The end of the value whose bracket was just read. */
function skipNested(reader: LooseReader, text: string, from: number): number {
  const outside = reader.depth - 1;
  let end = from;
  for (
    let at = skipBlanks(text, from);
    at < text.length && reader.depth > outside;
    at = skipBlanks(text, end)
  ) {
    end = reader.read(at).end;
  }
  return end;
}

/** Odd characters in a piece's own marks, not in its content. */
function noteOdd(text: string, piece: Piece, found: number[]): void {
  const isWide = (at: number): boolean => FULL_WIDTH.has(text.charAt(at));
  const isSeparator = piece.type === 'colon' || piece.type === 'comma';
  if (isWide(piece.start) || (isSeparator && SEPARATORS.has(text.charAt(piece.start))))
    found.push(piece.start);
  if (piece.type !== 'open' && piece.type !== 'atom') return;
  if (/[A-Z]/.test(text.charAt(piece.start + 1))) found.push(piece.start + 1);
  if (isWide(piece.start + 2)) found.push(piece.start + 2);
  if (piece.type === 'atom' && piece.atomEnd.contentEnd < piece.end && isWide(piece.end - 1))
    found.push(piece.end - 1);
}
