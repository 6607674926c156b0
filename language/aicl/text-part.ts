import type { Characters } from '../../core/text/source-text.ts';

/** The characters of a text from `start` to `end`, without a copy. */
export class TextPart implements Characters {
  readonly length: number;
  readonly #text: Characters;
  readonly #start: number;

  constructor(text: Characters, start: number, end: number) {
    this.#text = text;
    this.#start = start;
    this.length = end - start;
  }

  charCodeAt(at: number): number {
    return at < 0 || at >= this.length ? Number.NaN : this.#text.charCodeAt(this.#start + at);
  }

  slice(start = 0, end = this.length): string {
    const from = Math.max(0, start);
    return this.#text.slice(this.#start + from, this.#start + Math.max(from, Math.min(end, this.length)));
  }
}
