import type { TextEdit } from '../../core/text/edit.ts';
import type { Span } from '../../core/text/span.ts';

/** A piece of an edited text: a span of the original text, or inserted text. */
type Piece = Span | string;

/** Combines several rounds of edits into one set of edits of the original text. */
export class EditHistory {
  readonly #length: number;
  #pieces: readonly Piece[];

  /** Starts with a text of this length in UTF-16 code units. */
  constructor(length: number) {
    this.#length = length;
    this.#pieces = [{ start: 0, end: length }];
  }

  /** Adds a round of edits: sorted, without overlaps, with offsets into the text after the previous round. */
  add(edits: readonly TextEdit[]): void {
    const reader = new PieceReader(this.#pieces);
    const pieces: Piece[] = [];
    let at = 0;
    for (const { span, newText } of edits) {
      for (const piece of reader.take(span.start - at)) pieces.push(piece);
      pieces.push(newText);
      reader.take(span.end - span.start);
      at = span.end;
    }
    this.#pieces = [...pieces, ...reader.take(Infinity)];
  }

  /** All rounds combined, with offsets into the original text. */
  get edits(): readonly TextEdit[] {
    const edits: TextEdit[] = [];
    let at = 0;
    let newText = '';
    const close = (end: number): void => {
      if (end > at || newText !== '') edits.push({ span: { start: at, end }, newText });
      newText = '';
    };
    for (const piece of this.#pieces) {
      if (typeof piece === 'string') newText += piece;
      else {
        close(piece.start);
        at = piece.end;
      }
    }
    close(this.#length);
    return edits;
  }
}

class PieceReader {
  readonly #pieces: readonly Piece[];
  #index = 0;
  /** The number of code units already taken from the piece at the index. */
  #taken = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  /** The pieces of the next `length` code units. */
  take(length: number): readonly Piece[] {
    const found: Piece[] = [];
    let left = length;
    while (left > 0) {
      const piece = this.#pieces[this.#index];
      if (piece === undefined) break;
      const part = cut(piece, this.#taken, left);
      if (lengthOf(part) > 0) found.push(part);
      left -= lengthOf(part);
      this.#taken += lengthOf(part);
      if (this.#taken < lengthOf(piece)) continue;
      this.#index++;
      this.#taken = 0;
    }
    return found;
  }
}

function lengthOf(piece: Piece): number {
  return typeof piece === 'string' ? piece.length : piece.end - piece.start;
}

function cut(piece: Piece, from: number, length: number): Piece {
  if (typeof piece === 'string') return piece.slice(from, from + length);
  const start = piece.start + from;
  return { start, end: Math.min(piece.end, start + length) };
}
