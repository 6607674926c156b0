import type { Span } from '../../core/text/span.ts';

/** The texts of a dictionary by their keys, as they are written: without the quotation marks or brackets around them. */
export interface Dict {
  readonly members: ReadonlyMap<string, Span>;
  /** The key under which it stands in another dictionary; undefined in a list and at the top. */
  readonly within: string | undefined;
}

/** Deeper values are passed over. */
const DEEPEST = 200;

interface Frame {
  readonly within: string | undefined;
  readonly isDict: boolean;
  members: Map<string, Span> | undefined;
}

/** Follows the brackets of a text and tells of each dictionary that closes. Brackets that do not fit harm nothing else. */
export class DictStack {
  readonly #frames: Frame[] = [];
  /** How many brackets are open that are deeper than any that is followed. */
  #deeper = 0;
  #key: string | undefined;

  get isEmpty(): boolean {
    return this.#frames.length === 0;
  }

  open(form: 'dict' | 'list'): void {
    if (this.#frames.length === DEEPEST) this.#deeper++;
    else this.#frames.push({ within: this.#takeKey(), isDict: form === 'dict', members: undefined });
  }

  /** What comes next stands under a key. */
  key(key: string): void {
    this.#key = key;
  }

  /** Takes a text that is no key. The first one under a key counts. */
  text(span: Span): void {
    const key = this.#takeKey();
    const frame = this.#frames.at(-1);
    if (key === undefined || !frame?.isDict || this.#deeper > 0) return;
    frame.members ??= new Map();
    if (!frame.members.has(key)) frame.members.set(key, span);
  }

  /** Closes the innermost bracket; undefined where it was no dictionary with texts. */
  close(): Dict | undefined {
    this.#key = undefined;
    if (this.#deeper > 0) {
      this.#deeper--;
      return undefined;
    }
    const frame = this.#frames.pop();
    return frame?.members && { members: frame.members, within: frame.within };
  }

  /** Closes all brackets, from the inside out. */
  *closeAll(): Generator<Dict> {
    this.#deeper = 0;
    while (!this.isEmpty) {
      const dict = this.close();
      if (dict) yield dict;
    }
  }

  #takeKey(): string | undefined {
    const key = this.#key;
    this.#key = undefined;
    return key;
  }
}

/** Where a mark comes next; the end of the text where it does not. */
export function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found;
}
