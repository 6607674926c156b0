import type { Redaction } from '../events/events.ts';
import { REDACTED } from './credential-values.ts';

/** A search for secrets in a text that arrives in pieces: `SecretStream`, as far as it is needed here. */
export interface TextSearch {
  push(text: string): FoundSecrets;
  end(): FoundSecrets;
  /** The number of characters whose search is not decided yet. */
  readonly held: number;
}

interface FoundSecrets {
  readonly redacted: readonly Redaction[];
}

/** A span of the wire, in characters from its beginning. */
export interface WireSpan {
  readonly start: number;
  readonly end: number;
}

/** The number of characters at the end of a string that are searched together with the next one. */
const LONGEST_END = 1024;

/** The number of characters from which on the beginning of a secret is held back; fewer occur in any text. */
const FEWEST_HELD = 3;

/** A string, and its offset on the wire. */
interface WireString {
  readonly text: string;
  readonly wire: number;
}

/** Several strings as one text. */
export class JoinedText {
  /** The part of the reply to which its first string belongs, and whether others belong to another one. */
  part: string | undefined;
  hasParts = false;
  /** The offset of its last string on the wire. */
  lastAt = 0;
  readonly #search: TextSearch;
  /** The last strings, as long as they may belong to a secret, with their offsets in this text. */
  readonly #strings: (WireString & { readonly at: number })[] = [];
  #last: string | undefined;
  #length = 0;
  /** The number of characters whose search is decided. */
  #decided = 0;

  constructor(search: TextSearch) {
    this.#search = search;
  }

  push(given: WireString, spans: WireSpan[]): void {
    this.lastAt = given.wire;
    // A member that repeats its value, such as a type, is no text in pieces.
    if (given.text === this.#last && !this.isOpen) return;
    this.#last = given.text;
    const cut = this.isOpen ? 0 : Math.max(0, given.text.length - LONGEST_END);
    const text = cut === 0 ? given.text : given.text.slice(cut);
    this.#strings.push({ at: this.#length, wire: given.wire + cut, text });
    this.#length += text.length;
    this.#takeFound(this.#search.push(text), spans);
  }

  end(spans: WireSpan[]): void {
    this.#takeFound(this.#search.end(), spans);
  }

  /** True where its end may be the beginning of a secret. */
  get isOpen(): boolean {
    return this.#decided < this.#length;
  }

  /** The strings that may belong to a secret. */
  get undecided(): readonly WireString[] {
    return this.#strings;
  }

  /** The offset on the wire of the first character that may belong to a secret. */
  get hold(): number {
    if (this.#length - this.#decided < FEWEST_HELD) return Infinity;
    const [first] = this.#strings;
    return first ? first.wire + this.#decided - first.at : Infinity;
  }

  #takeFound({ redacted }: FoundSecrets, spans: WireSpan[]): void {
    let shift = this.#decided;
    for (const { at, length } of redacted) {
      const start = at + shift;
      for (const each of this.#strings) {
        const from = Math.max(start, each.at);
        const to = Math.min(start + length, each.at + each.text.length);
        if (from < to) spans.push({ start: each.wire + from - each.at, end: each.wire + to - each.at });
      }
      shift += length - REDACTED.length;
    }
    this.#decided = this.#length - this.#search.held;
    for (
      let [first] = this.#strings;
      first && first.at + first.text.length <= this.#decided;
      [first] = this.#strings
    )
      this.#strings.shift();
  }
}
