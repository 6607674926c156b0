import type { Span } from '../../core/text/span.ts';

/** The texts of a dictionary by key: raw spans without the surrounding quotation marks or brackets. */
export interface Dict {
  readonly members: ReadonlyMap<string, Span>;
  /** The key of this dictionary in another one; undefined in a list and at the top level. */
  readonly within: string | undefined;
}

/** Maximum depth; deeper values are skipped. */
const DEEPEST = 200;

interface Frame {
  readonly within: string | undefined;
  readonly isDict: boolean;
  members: Map<string, Span> | undefined;
}

/**
 * Follows the brackets of a text and returns each dictionary that is closed. Unmatched brackets do not affect
 * other dictionaries.
 */
export class DictStack {
  readonly #frames: Frame[] = [];
  /** The number of open brackets beyond the maximum depth. */
  #deeper = 0;
  #key: string | undefined;

  get isEmpty(): boolean {
    return this.#frames.length === 0;
  }

  open(form: 'dict' | 'list'): void {
    if (this.#frames.length === DEEPEST) this.#deeper++;
    else this.#frames.push({ within: this.#takeKey(), isDict: form === 'dict', members: undefined });
  }

  /** Sets the key of the next value. */
  key(key: string): void {
    this.#key = key;
  }

  /** Adds a text that is not a key. The first text of a key counts. */
  text(span: Span): void {
    const key = this.#takeKey();
    const frame = this.#frames.at(-1);
    if (key === undefined || !frame?.isDict || this.#deeper > 0) return;
    frame.members ??= new Map();
    if (!frame.members.has(key)) frame.members.set(key, span);
  }

  /** Closes the innermost bracket; undefined if it was not a dictionary with texts. */
  close(): Dict | undefined {
    this.#key = undefined;
    if (this.#deeper > 0) {
      this.#deeper--;
      return undefined;
    }
    const frame = this.#frames.pop();
    return frame?.members && { members: frame.members, within: frame.within };
  }

  /** Closes all brackets, from inner to outer. */
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

/** The next occurrence of a mark; the end of the text if there is none. */
export function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found;
}
