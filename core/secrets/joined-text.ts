import type { SecretSpan } from './credential-values.ts';
import type { SecretSearch } from './secret-search.ts';

/** The number of characters at the end of a string that are searched together with the next one. */
const LONGEST_END = 1024;

/** The number of characters from which on the beginning of a secret is held back; fewer occur in any text. */
const FEWEST_HELD = 3;

/** A string, and its offset on the wire. */
interface WireString {
  readonly text: string;
  readonly wire: number;
}

/** Several strings of the wire as one text. */
export class JoinedText {
  /** The part of the reply to which its first string belongs, and whether others belong to another one. */
  part: string | undefined;
  hasParts = false;
  /** The offset of its last string on the wire. */
  lastAt = 0;
  readonly #search: SecretSearch;
  /** The last strings, as long as they may belong to a secret, with their offsets in this text. */
  readonly #strings: (WireString & { readonly at: number })[] = [];
  #last: string | undefined;

  constructor(search: SecretSearch) {
    this.#search = search;
  }

  push(given: WireString, spans: SecretSpan[]): void {
    this.lastAt = given.wire;
    const { isOpen } = this;
    // A member that repeats its value, such as a type, is no text in pieces.
    if (given.text === this.#last && !isOpen) return;
    this.#last = given.text;
    const cut = isOpen ? 0 : Math.max(0, given.text.length - LONGEST_END);
    const string = { at: this.#search.length, wire: given.wire + cut, text: given.text.slice(cut) };
    this.#strings.push(string);
    this.#search.push(string.text);
    this.#takeFound(spans);
  }

  end(spans: SecretSpan[]): void {
    this.#search.end();
    this.#takeFound(spans);
  }

  /** True where its end may be the beginning of a secret. */
  get isOpen(): boolean {
    return this.#search.hold < this.#search.length;
  }

  /** The strings that may belong to a secret. */
  get undecided(): readonly WireString[] {
    return this.#strings;
  }

  /** The offset on the wire of the first character that may belong to a secret; Infinity if there is none. */
  get hold(): number {
    const { hold, length } = this.#search;
    const [first] = this.#strings;
    return !first || length - hold < FEWEST_HELD ? Infinity : first.wire + Math.max(0, hold - first.at);
  }

  #takeFound(spans: SecretSpan[]): void {
    for (const { start, end } of this.#search.take())
      for (const { at, wire, text } of this.#strings) {
        const from = Math.max(start, at);
        const to = Math.min(end, at + text.length);
        if (from < to) spans.push({ start: wire + from - at, end: wire + to - at });
      }
    const { hold } = this.#search;
    for (let [first] = this.#strings; first && first.at + first.text.length <= hold; [first] = this.#strings)
      this.#strings.shift();
  }
}
