import type { Characters } from '../../core/text/source-text.ts';
import type { Span } from '../../core/text/span.ts';
import { skipBlanks } from './characters.ts';
import { followsSeparator, isNextField, type Lexeme, type LexemePlace, type LexemeSource } from './lexeme.ts';
import { MAX_DEPTH } from './scanner.ts';

/** What stands at a place of a unit that the grammar may not accept: a lexeme, seen from the groups around it. */
export type Piece =
  | Exclude<Lexeme, { type: 'close' | 'junk' }>
  | (Span & {
      readonly type:
        | 'close'
        /** A `]` that closes nothing, by what comes after it. */
        | 'extra'
        /** `text]`, a value whose opening bracket is missing. */
        | 'headless'
        | 'junk';
    });

export type PieceType = Piece['type'];

export interface LooseOptions {
  /** True where words before a `]` are a value without its opening bracket; else the bracket closes what is open. */
  readonly headless: boolean;
}

/** A broken unit of more pieces is no message: the rest of it is one piece, and nothing of it is stored. */
export const MOST_PIECES = 50_000;

/** Reads a unit piece by piece and knows what is open. */
export class LooseReader {
  readonly #source: LexemeSource;
  readonly #text: Characters;
  readonly #options: LooseOptions;
  #isDict = false;
  #place: LexemePlace = 'inside';
  #isAfterColon = false;
  /** How many pieces were read. */
  count = 0;
  /** How many groups are open after the last piece. */
  depth = 0;

  constructor(source: LexemeSource, text: Characters, options: LooseOptions) {
    this.#source = source;
    this.#text = text;
    this.#options = options;
  }

  /** The piece at `at`, where no blank stands. Asked in the order of the text. */
  #read(at: number): Piece {
    const place = this.depth > MAX_DEPTH || ++this.count > MOST_PIECES ? 'deep' : this.#place;
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

  /** The next piece at or after an offset; undefined where none begins before `end`. */
  readAfter(offset: number, end: number): Piece | undefined {
    const at = skipBlanks(this.#text, offset);
    return at < end ? this.#read(at) : undefined;
  }

  /** True for a run that reads the same here as its lexemes would one by one. */
  #fits({ run, end }: Lexeme & { type: 'run' }): boolean {
    if (this.depth > 0) return this.depth + run.height <= MAX_DEPTH;
    // At the top a dictionary before another field would not be closed.
    const hasFields =
      run.kind === 'pairs' || run.texts > 0 || isNextField(this.#text, skipBlanks(this.#text, end));
    return run.height <= MAX_DEPTH && !hasFields;
  }

  /** The text that was just read at `at`, as if all ended at `end`. */
  readBefore(end: number, at: number): Piece {
    return this.#toPiece(this.#source.lexemeBefore(end, at, 'inside'));
  }

  #toPiece(lexeme: Lexeme): Piece {
    const { start, end } = lexeme;
    if (lexeme.type === 'close') return { type: this.#isExtra(lexeme) ? 'extra' : 'close', start, end };
    if (lexeme.type !== 'junk') return lexeme;
    // Words before a `]`, where a value belongs, may have lost their head.
    const isHeadless =
      this.#options.headless && lexeme.isBeforeClose && followsSeparator(this.#text, lexeme.start);
    return isHeadless ? { type: 'headless', start, end: end + 1 } : { type: 'junk', start, end };
  }

  /**
   * A bracket before a colon closes nothing, for no group is a key; nor does one between a colon and its value, nor one
   * that would end the message while another field of it follows.
   */
  #isExtra(close: Lexeme & { type: 'close' }): boolean {
    if (this.depth === 0) return false;
    if (close.isBefore === 'value') return this.#isAfterColon;
    return close.isBefore === 'colon' || (close.isBefore === 'field' && this.depth === 1 && this.#isDict);
  }
}
