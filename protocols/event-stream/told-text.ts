import { lengthOf, startsWithPieces } from './pieces.ts';

/** What a text of a response is: its answer, or the thoughts before it. */
export type TextKind = 'text' | 'reasoning';

/** A piece of text that may be shown. */
export interface ToldPiece {
  readonly kind: TextKind;
  readonly text: string;
}

/** What stands between two texts that an agent sends as two: nothing of either is changed. */
export const BETWEEN = '\n\n';

interface Part {
  readonly kind: TextKind;
  /** What was told of it, piece by piece: joined it would stand in memory once more. */
  readonly told: string[];
  waiting: string;
  isClosed: boolean;
}

/**
 * The texts of a response as they may be shown while they come: in the order in which they began, each as far as it has
 * come, and none before the one in front of it has ended. What was told is never taken back.
 */
export class ToldText {
  readonly #parts: Part[] = [];
  readonly #byKey = new Map<string, Part>();
  readonly #all: Record<TextKind, string[]> = { text: [], reasoning: [] };
  #at = 0;
  #hasConflict = false;

  /** A text goes on, or begins. */
  grow(key: string, kind: TextKind, text: string): void {
    const part = this.#find(key, kind);
    part.waiting += text;
  }

  /** A text is whole, and this is all of it. */
  settle(key: string, kind: TextKind, whole: string): void {
    const part = this.#find(key, kind);
    part.isClosed = true;
    if (startsWithPieces(whole, part.told)) part.waiting = whole.slice(lengthOf(part.told));
    else this.#hasConflict = true;
  }

  /** Nothing more comes of a text. */
  close(key: string): void {
    const part = this.#byKey.get(key);
    if (part) part.isClosed = true;
  }

  /** What may be shown in addition to what was told before. */
  take(): readonly ToldPiece[] {
    const pieces: ToldPiece[] = [];
    for (; this.#at < this.#parts.length; this.#at++) {
      const part = this.#parts[this.#at];
      if (!part) break;
      const piece = this.#tell(part);
      if (piece) pieces.push(piece);
      if (!part.isClosed) break;
    }
    return pieces;
  }

  /** All that was told of a kind, in the pieces in which it was. */
  told(kind: TextKind): readonly string[] {
    return this.#all[kind];
  }

  /** True where an agent sent another text in the end than in pieces. */
  get hasConflict(): boolean {
    return this.#hasConflict;
  }

  #tell(part: Part): ToldPiece | undefined {
    const { kind, waiting } = part;
    const all = this.#all[kind];
    // Thoughts that follow the answer stand behind it, with all else.
    if (waiting === '' || (kind === 'reasoning' && this.#all.text.length > 0)) return undefined;
    const text = part.told.length === 0 && all.length > 0 ? BETWEEN + waiting : waiting;
    part.told.push(waiting);
    part.waiting = '';
    all.push(text);
    return { kind, text };
  }

  #find(key: string, kind: TextKind): Part {
    const known = this.#byKey.get(key);
    if (known) return known;
    const part = { kind, told: [], waiting: '', isClosed: false };
    this.#parts.push(part);
    this.#byKey.set(key, part);
    return part;
  }
}
