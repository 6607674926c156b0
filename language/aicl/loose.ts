import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import { skipBlanks } from './characters.ts';
import { followsSeparator, isNextField, type Lexeme, type LexemePlace, type LexemeSource } from './lexeme.ts';
import { MAX_DEPTH } from './scanner.ts';

/** A lexeme of a possibly broken unit, classified by the groups that are open around it. */
export type Piece =
  | Exclude<Lexeme, { type: 'close' | 'junk' }>
  | (Span & {
      readonly type:
        | 'close'
        /** An unmatched `]`, according to what follows it. */
        | 'extra'
        /** `text]`, a value without an opening bracket. */
        | 'headless'
        | 'junk';
    });

export type PieceType = Piece['type'];

export interface LooseOptions {
  /**
   * True if text before a `]` is read as a value without an opening bracket; otherwise the bracket closes the
   * open group.
   */
  readonly headless: boolean;
}

/** Maximum number of pieces of a broken unit; the rest becomes one piece and is not stored. */
export const MAX_PIECES = 50_000;

/** Reads a unit piece by piece and tracks the open groups. */
export class LooseReader {
  readonly #source: LexemeSource;
  readonly #text: Characters;
  readonly #options: LooseOptions;
  #isDict = false;
  #place: LexemePlace = 'inside';
  #isAfterColon = false;
  /** The number of pieces read. */
  count = 0;
  /** The number of open groups after the last piece. */
  depth = 0;

  constructor(source: LexemeSource, text: Characters, options: LooseOptions) {
    this.#source = source;
    this.#text = text;
    this.#options = options;
  }

  /** The piece at `at`, which must not be a blank; offsets must ascend. */
  #read(at: number): Piece {
    const place = this.depth > MAX_DEPTH || ++this.count > MAX_PIECES ? 'deep' : this.#place;
    const lexeme = this.#source.lexemeAt(at, place);
    const isFit = lexeme.type !== 'run' || this.#fits(lexeme);
    const piece = this.#toPiece(isFit ? lexeme : this.#source.lexemeAt(at, 'inside'));
    if (piece.type === 'open') {
      if (this.depth === 0) this.#isDict = piece.kind === 'dict';
      this.depth++;
    }
    if (piece.type === 'close') this.depth--;
    this.#place = piece.type === 'open' || piece.type === 'comma' ? 'entry' : 'inside';
    this.#isAfterColon = piece.type === 'colon';
    return piece;
  }

  /** The next piece at or after an offset; undefined if none starts before `end`. */
  readAfter(offset: number, end: number): Piece | undefined {
    const at = skipBlanks(this.#text, offset);
    return at < end ? this.#read(at) : undefined;
  }

  /** True for a run that can be used here because its lexemes would be read the same one by one. */
  #fits({ run, end }: Lexeme & { type: 'run' }): boolean {
    if (this.depth > 0) return this.depth + run.height <= MAX_DEPTH;
    // At the top level a dictionary before another field would not be closed.
    const hasFields =
      run.kind === 'pairs' || run.texts > 0 || isNextField(this.#text, skipBlanks(this.#text, end));
    return run.height <= MAX_DEPTH && !hasFields;
  }

  /** Reads the text at `at` again, as if the unit ended at `end`. */
  readBefore(end: number, at: number): Piece {
    return this.#toPiece(this.#source.lexemeBefore(end, at, 'inside'));
  }

  #toPiece(lexeme: Lexeme): Piece {
    const { start, end } = lexeme;
    if (lexeme.type === 'close') return { type: this.#isExtra(lexeme) ? 'extra' : 'close', start, end };
    if (lexeme.type !== 'junk') return lexeme;
    // Text before a `]` in the position of a value may have lost its head.
    const isHeadless =
      this.#options.headless && lexeme.isBeforeClose && followsSeparator(this.#text, lexeme.start);
    return isHeadless ? { type: 'headless', start, end: end + 1 } : { type: 'junk', start, end };
  }

  /**
   * A bracket is unmatched before a colon, because a group cannot be a key; between a colon and its value;
   * and if it would end the message while another field follows.
   */
  #isExtra(close: Lexeme & { type: 'close' }): boolean {
    if (this.depth === 0) return false;
    if (close.isBefore === 'value') return this.#isAfterColon;
    return close.isBefore === 'colon' || (close.isBefore === 'field' && this.depth === 1 && this.#isDict);
  }
}
