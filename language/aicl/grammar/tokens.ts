import { createToken, Lexer, type IToken, type TokenType } from 'chevrotain';
import type { ValueKind } from '../../../core/catalog/aicl.ts';
import type { Characters } from '../../../core/text/source-text.ts';
import type { Span } from '../../../core/text/span.ts';
import type { WorkCounter } from '../../work.ts';
import { FULL_WIDTH, SEPARATORS } from '../characters.ts';
import type { Lexeme, LexemePlace, LexemeSource } from '../lexeme.ts';
import { LooseReader, MAX_PIECES, type LooseOptions, type Piece, type PieceType } from '../loose.ts';
import type { Run } from '../run.ts';
import { MAX_DEPTH } from '../scanner.ts';

/** Tokens come from our own reader, because only it can find the end of a text; Chevrotain's lexer is not used. */
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
/** `[x:…]` with an unknown type. */
export const UnknownAtom = token('UnknownAtom', 'a value of an unknown type');
/** `text]`, a value without an opening bracket. */
export const Headless = token('Headless', 'a value without its bracket');
/** An unmatched `]`. */
export const ExtraClose = token('ExtraClose', "a ']' too many");
/** A list or dictionary that has already been parsed. */
export const ReadGroup = token('ReadGroup', 'a list or a dictionary');
/** A value nested too deep, which is skipped as a whole. */
export const TooDeep = token('TooDeep', 'a value that is nested too deep');
/** Complete entries that have already been read. */
export const WholeRun = token('WholeRun', 'values or pairs');
/** Text that is not part of the grammar. */
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
  WholeRun,
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
  run: WholeRun,
};

/** A token with the end of its atom's content; offsets are relative to the unit's start. */
export interface AiclToken extends IToken {
  readonly contentEnd: number;
  readonly run: Run | undefined;
  readonly origin: object | undefined;
}

export function isAiclToken(candidate: IToken): candidate is AiclToken {
  return 'contentEnd' in candidate;
}

export interface Tokens {
  readonly tokens: readonly AiclToken[];
  /**
   * Offsets of characters written in place of others: full-width punctuation and separators, upper-case type
   * letters.
   */
  readonly unexpected: readonly number[];
}

/**
 * Splits `text[start, end)` into tokens; their offsets are relative to `start`. Never fails; linear. A value
 * nested deeper than MAX_DEPTH is one token.
 */
export function tokenize(
  source: LexemeSource,
  text: Characters,
  { start, end }: Span,
  work: WorkCounter,
  options: LooseOptions,
): Tokens {
  const reader = new LooseReader(new EndedSource(source, end), text, options);
  const tokens: AiclToken[] = [];
  const unexpected: number[] = [];
  let piece = reader.readAfter(start, end);
  while (piece) {
    if (tokens.length === MAX_PIECES) {
      const rest = makeToken(Junk, piece.start - start, end - start, end - start);
      tokens.push({ ...rest, run: undefined, origin: undefined });
      break;
    }
    const isTooDeep = piece.type === 'open' && reader.depth > MAX_DEPTH;
    const type = isTooDeep ? TooDeep : tokenTypeOf(piece);
    const to = isTooDeep ? skipNested(reader, piece.end, end) : piece.end;
    if (type !== TooDeep && type !== Junk && type !== WholeRun)
      noteUnexpected(text, start, piece, unexpected);
    const contentEnd = piece.type === 'atom' ? piece.contentEnd : to;
    const run = piece.type === 'run' ? piece.run : undefined;
    const origin = piece.type === 'atom' ? piece.origin : undefined;
    tokens.push({ ...makeToken(type, piece.start - start, to - start, contentEnd - start), run, origin });
    work.count++;
    piece = reader.readAfter(to, end);
  }
  return { tokens, unexpected };
}

/** A lexeme source whose text ends at `end`. */
class EndedSource implements LexemeSource {
  readonly #source: LexemeSource;
  readonly #end: number;

  constructor(source: LexemeSource, end: number) {
    this.#source = source;
    this.#end = end;
  }

  lexemeAt(at: number, place: LexemePlace): Lexeme {
    return this.#source.lexemeBefore(this.#end, at, place);
  }

  lexemeBefore(end: number, at: number, place: LexemePlace): Lexeme {
    return this.#source.lexemeBefore(Math.min(end, this.#end), at, place);
  }
}

function tokenTypeOf(piece: Piece): TokenType {
  return piece.type === 'atom' || piece.type === 'open'
    ? TOKEN_OF_KIND[piece.kind]
    : TOKEN_OF_PIECE[piece.type];
}

function makeToken(
  type: TokenType,
  start: number,
  end: number,
  contentEnd: number,
): Omit<AiclToken, 'run' | 'origin'> {
  return {
    image: '',
    startOffset: start,
    endOffset: end - 1,
    tokenType: type,
    tokenTypeIdx: type.tokenTypeIdx ?? 0,
    contentEnd,
  };
}

/** The end of the group whose opening bracket was just read. */
function skipNested(reader: LooseReader, from: number, limit: number): number {
  const outside = reader.depth - 1;
  let end = from;
  while (reader.depth > outside) {
    const piece = reader.readAfter(end, limit);
    if (!piece) break;
    end = piece.end;
  }
  return end;
}

/** Collects unexpected characters in the syntax of a piece, not in its content. */
function noteUnexpected(text: Characters, base: number, piece: Piece, found: number[]): void {
  const characterAt = (at: number): string => text.slice(at, at + 1);
  const isWide = (at: number): boolean => FULL_WIDTH.has(characterAt(at));
  const isSeparator = piece.type === 'colon' || piece.type === 'comma';
  if (isWide(piece.start) || (isSeparator && SEPARATORS.has(characterAt(piece.start))))
    found.push(piece.start - base);
  if (piece.type !== 'open' && piece.type !== 'atom') return;
  if (/[A-Z]/.test(characterAt(piece.start + 1))) found.push(piece.start + 1 - base);
  if (isWide(piece.start + 2)) found.push(piece.start + 2 - base);
  if (piece.type === 'atom' && piece.contentEnd < piece.end && isWide(piece.end - 1))
    found.push(piece.end - 1 - base);
}
