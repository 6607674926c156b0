import type { Value } from '../../core/values/value.ts';
import type { Span } from '../../core/text/span.ts';

/**
 * Where values stand in a text: an entry of a dictionary from its key to the end of its value, another value as it is.
 * A value that a conversion carries over unchanged is the same object on both sides, so both sides' places belong together.
 */
export type Places = Map<Value, Span>;

/** A value at the top level of a text. */
export interface Piece {
  readonly value: Value;
  readonly span: Span;
}

/** Is given the values of a text one by one: none of them has to wait for the others. */
export type TakePiece = (piece: Piece) => void;

/** What a reader keeps beside the values. */
export interface AskedPart {
  /** Is given the places of values, where there is one. */
  readonly places?: Places | undefined;
  /** Only of what touches this span; of all if left out. */
  readonly within?: Span | undefined;
  /** The number of the first message of that, from 0, for what is told of it. */
  readonly first?: number;
}

/** A part of a text that could not be read, or was read otherwise than it stands. */
export interface TextFault {
  readonly span: Span;
  /** `dropped` where nothing of it was read. */
  readonly kind: 'dropped' | 'rounded' | 'moved';
  /** A sentence without a full stop. */
  readonly message: string;
}

/** A text read as values. */
export interface PieceList {
  readonly pieces: readonly Piece[];
  readonly faults: readonly TextFault[];
}

/** `pretty` is for people, `compact` has no white space that does not count. */
export type Layout = 'pretty' | 'compact';

/** So many characters are joined at a time: the engine is slow with a long text that grows part by part. */
const PIECE = 1 << 15;

/** A text that grows, and where what was written stands in it. */
export class TextSink {
  #pieces: string[] = [];
  #parts: string[] = [];
  #length = 0;
  /** Characters in the pieces. */
  #joined = 0;
  readonly places: Places | undefined;
  readonly #most: number;

  /** Of a text of more than `most` characters only the length is found out. */
  constructor(places?: Places, most = Infinity) {
    this.places = places;
    this.#most = most;
  }

  /** True once the text has more characters than it may, and is dropped. */
  get isTooLong(): boolean {
    return this.#length > this.#most;
  }

  write(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length - this.#joined > PIECE) this.#join();
  }

  /** Characters so far. */
  get length(): number {
    return this.#length;
  }

  toString(): string {
    return this.pieces.join('');
  }

  /** The text in parts. */
  get pieces(): readonly string[] {
    this.#join();
    return this.#pieces;
  }

  #join(): void {
    if (this.#parts.length === 0) return;
    if (this.isTooLong) this.#pieces = [];
    else this.#pieces.push(this.#parts.join(''));
    this.#parts = [];
    this.#joined = this.#length;
  }
}
