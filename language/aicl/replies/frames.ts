import { TYPE_TAGS } from '../../../core/catalog/aicl.ts';
import { BOM, CLOSE, COLON, LF, OPEN, isBlank } from '../characters.ts';
import { Occurrences } from '../../../core/text/occurrences.ts';
import type { Span } from '../../../core/text/span.ts';

const LETTER_S = 115;

/** The letters that begin a value after its bracket. */
const LETTERS: ReadonlySet<number> = new Set(TYPE_TAGS.map(({ tag }) => tag.charCodeAt(0)));

/** `#begun` of a frame that is a value. */
const BEGUN = 3;

/** A value at the top level of a text: a message, if it begins with `[d:`. Offsets count from the text's start. */
export interface AiclFrame extends Span {
  readonly text: string;
}

/** What a text leaves when it has ended. */
export interface AiclRemains {
  /** The text of a frame that was never closed. */
  readonly openText: string | undefined;
  /** True where text other than white space stands outside of all brackets. */
  readonly hasForeignText: boolean;
}

/**
 * Cuts a text that comes in pieces at its outer brackets (reading of LightAICL 2.1). A text, `[s:…]`, runs to the
 * first `]`; opening brackets in it do not count. An outer bracket that begins no value, as in
 * a line of progress (`[====>`), ends with its line: it must not take the messages below. Linear: what lies between the
 * characters that count is passed over.
 */
export class AiclFramer {
  #state: 'outside' | 'bracket' | 'letter' | 'text' = 'outside';
  #depth = 0;
  /** How much of the outer bracket and the type letter and colon behind it has come; -1 where something else stands there. */
  #begun = 0;
  #offset = 0;
  #frameStart = 0;
  #parts: string[] = [];
  #hasForeignText = false;

  /** The frames that this piece closes. */
  push(piece: string): readonly AiclFrame[] {
    const frames: AiclFrame[] = [];
    const marks = new Marks(piece);
    let from = 0;
    for (let at = this.#skip(marks, 0); at < piece.length; at = this.#skip(marks, at + 1)) {
      const wasOutside = this.#depth === 0;
      this.#step(piece.charCodeAt(at));
      if (wasOutside && this.#depth > 0) {
        this.#frameStart = this.#offset + at;
        from = at;
      } else if (!wasOutside && this.#depth === 0) {
        this.#parts.push(piece.slice(from, at + 1));
        frames.push({ start: this.#frameStart, end: this.#offset + at + 1, text: this.#parts.join('') });
        this.#parts = [];
      }
    }
    if (this.#depth > 0) this.#parts.push(piece.slice(from));
    this.#offset += piece.length;
    return frames;
  }

  /** Where the frame that is still open starts; undefined where none is. */
  get openStart(): number | undefined {
    return this.#depth > 0 ? this.#frameStart : undefined;
  }

  /** What is left when the text has ended. */
  end(): AiclRemains {
    return {
      openText: this.#depth > 0 ? this.#parts.join('') : undefined,
      hasForeignText: this.#hasForeignText,
    };
  }

  /** The next place, from one on, at which a character may change anything: most of a message is texts and payloads. */
  #skip({ open, close }: Marks, at: number): number {
    if (this.#depth === 0 || this.#begun !== BEGUN) return at;
    if (this.#state === 'outside') return Math.min(open.next(at), close.next(at));
    return this.#state === 'text' ? close.next(at) : at;
  }

  #step(code: number): void {
    if (this.#depth > 0 && this.#begun !== BEGUN && !this.#begin(code)) return;
    if (this.#state === 'text') {
      if (code !== CLOSE) return;
      this.#state = 'outside';
      this.#depth--;
      return;
    }
    if (this.#state === 'bracket' && code === LETTER_S) {
      this.#state = 'letter';
      return;
    }
    if (this.#state === 'letter' && code === COLON) {
      this.#state = 'text';
      return;
    }
    this.#state = 'outside';
    if (code === OPEN) {
      if (this.#depth === 0) this.#begun = 1;
      this.#depth++;
      this.#state = 'bracket';
    } else if (code === CLOSE && this.#depth > 0) {
      this.#depth--;
    } else if (this.#depth === 0 && !isBlank(code) && code !== BOM) {
      this.#hasForeignText = true;
    }
  }

  /** Looks at what stands behind an outer bracket. False where a line end closes one that began no value. */
  #begin(code: number): boolean {
    if (this.#begun === 1) this.#begun = LETTERS.has(code) ? 2 : -1;
    else if (this.#begun === 2) this.#begun = code === COLON ? BEGUN : -1;
    if (this.#begun !== -1 || code !== LF) return true;
    this.#depth = 0;
    this.#state = 'outside';
    return false;
  }
}

/** Where the characters stand that cut a piece. */
class Marks {
  readonly open: Occurrences;
  readonly close: Occurrences;

  constructor(piece: string) {
    this.open = new Occurrences(piece, '[');
    this.close = new Occurrences(piece, ']');
  }
}
