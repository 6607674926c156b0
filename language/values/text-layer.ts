import type { Value } from '../../core/values/value.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * The spans of values in a text; for an entry of a dictionary from its key to the end of its value. A conversion that
 * preserves a value uses the same object on both sides, so the places of both sides can be related.
 */
export type Places = Map<Value, Span>;

/** A top-level value of a text. */
export interface Piece {
  readonly value: Value;
  readonly span: Span;
}

/** Receives the values of a text one by one, as soon as each is read. */
export type TakePiece = (piece: Piece) => void;

/** Options for reading a part of a text. */
export interface PartOptions {
  /** Receives the places of values, if given. */
  readonly places?: Places | undefined;
  /** Limits the result to values that touch this span. */
  readonly within?: Span | undefined;
  /** The number of the first message in `within`, counted from 0; used in reports. */
  readonly first?: number;
}

/** A part of a text that could not be read, or not exactly. */
export interface TextFault {
  readonly span: Span;
  /** `dropped` if nothing of it was read. */
  readonly kind: 'dropped' | 'rounded' | 'moved';
  /** A sentence without a full stop. */
  readonly message: string;
}

/** The result of reading a text as values. */
export interface PieceList {
  readonly pieces: readonly Piece[];
  readonly faults: readonly TextFault[];
}

/** `pretty` is for people; `compact` has no insignificant white space. */
export type Layout = 'pretty' | 'compact';

/** The number of characters joined at a time, because a long string that grows in parts is slow. */
const PIECE = 1 << 15;

/** Collects the parts of a text and the places of the values in it. */
export class TextSink {
  #pieces: string[] = [];
  #parts: string[] = [];
  #length = 0;
  /** The number of characters in `#pieces`. */
  #joined = 0;
  readonly places: Places | undefined;
  readonly #most: number;
  readonly #emit: (piece: string) => unknown;

  /**
   * If the text exceeds `most` characters, only its length is computed. With `emit`, finished pieces are passed
   * on instead of stored.
   */
  constructor(places?: Places, most = Infinity, emit?: (piece: string) => unknown) {
    this.places = places;
    this.#most = most;
    this.#emit = emit ?? (piece => this.#pieces.push(piece));
  }

  /** True if the text exceeded the limit and was dropped. */
  get isTooLong(): boolean {
    return this.#length > this.#most;
  }

  write(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length - this.#joined > PIECE) this.#join();
  }

  /** The number of characters so far. */
  get length(): number {
    return this.#length;
  }

  toString(): string {
    return this.pieces.join('');
  }

  /** The text in parts, as far as it was not passed on. */
  get pieces(): readonly string[] {
    this.#join();
    return this.#pieces;
  }

  #join(): void {
    if (this.#parts.length === 0) return;
    if (this.isTooLong) this.#pieces = [];
    else this.#emit(this.#parts.join(''));
    this.#parts = [];
    this.#joined = this.#length;
  }
}
