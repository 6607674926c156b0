import { lengthOf, startsWithPieces } from './pieces.ts';

/** The kind of a text of a response: the answer, or the reasoning before it. */
export type TextKind = 'text' | 'reasoning';

/** A piece of text for display. */
export interface StreamedPiece {
  readonly kind: TextKind;
  /** With the separator before a text that follows another one. */
  readonly text: string;
  /** Without it. */
  readonly own: string;
  /** The number of its text in the response, from 0. */
  readonly of: number;
}

/** The separator between two texts of one kind. */
export const BETWEEN = '\n\n';

interface Part {
  readonly kind: TextKind;
  /** The pieces emitted so far; joining them would store the text twice. */
  readonly emitted: string[];
  waiting: string;
  isClosed: boolean;
}

/**
 * Emits the texts of a response for display while they arrive: in the order in which they began, and each
 * only after the one before it has ended. What was emitted is never changed.
 */
export class StreamedText {
  readonly #parts: Part[] = [];
  readonly #byKey = new Map<string, Part>();
  readonly #all: Record<TextKind, string[]> = { text: [], reasoning: [] };
  #at = 0;
  #hasConflict = false;

  /** Appends to a text, which begins with its first piece. */
  grow(key: string, kind: TextKind, text: string): void {
    const part = this.#find(key, kind);
    part.waiting += text;
  }

  /** Ends a text; `whole` is all of it. */
  settle(key: string, kind: TextKind, whole: string): void {
    const part = this.#find(key, kind);
    part.isClosed = true;
    if (startsWithPieces(whole, part.emitted)) part.waiting = whole.slice(lengthOf(part.emitted));
    else this.#hasConflict = true;
  }

  close(key: string): void {
    const part = this.#byKey.get(key);
    if (part) part.isClosed = true;
  }

  /** The pieces to emit since the last call. */
  take(): readonly StreamedPiece[] {
    const pieces: StreamedPiece[] = [];
    for (; this.#at < this.#parts.length; this.#at++) {
      const part = this.#parts[this.#at];
      if (!part) break;
      const piece = this.#report(part);
      if (piece) pieces.push(piece);
      if (!part.isClosed) break;
    }
    return pieces;
  }

  /** All text of a kind that was emitted, in pieces. */
  emitted(kind: TextKind): readonly string[] {
    return this.#all[kind];
  }

  /** True where a whole text differed from its pieces. */
  get hasConflict(): boolean {
    return this.#hasConflict;
  }

  #report(part: Part): StreamedPiece | undefined {
    const { kind, waiting } = part;
    const all = this.#all[kind];
    // Reasoning that arrives after the answer has begun is not emitted.
    if (waiting === '' || (kind === 'reasoning' && this.#all.text.length > 0)) return undefined;
    const text = part.emitted.length === 0 && all.length > 0 ? BETWEEN + waiting : waiting;
    part.emitted.push(waiting);
    part.waiting = '';
    all.push(text);
    return { kind, text, own: waiting, of: this.#at };
  }

  #find(key: string, kind: TextKind): Part {
    const known = this.#byKey.get(key);
    if (known) return known;
    const part = { kind, emitted: [], waiting: '', isClosed: false };
    this.#parts.push(part);
    this.#byKey.set(key, part);
    return part;
  }
}
