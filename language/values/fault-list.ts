import { NumberList } from '../../core/text/number-list.ts';
import { SpanList } from '../../core/text/span-list.ts';
import type { TextFault } from './text-layer.ts';

/** So many different messages are stored; of what else is wrong the place and the kind. */
const MOST_MESSAGES = 2_000;

/** What a fault says whose own words were not stored: it is behind so many others that it is only counted. */
const OTHER = 'It could not be read as it stands';

const KINDS: readonly TextFault['kind'][] = ['dropped', 'rounded', 'moved'];

/** The faults of a text, packed: a hostile text has one in every few characters. Listed in the order of the text. */
export class FaultList implements Iterable<TextFault> {
  readonly #spans = new SpanList();
  /** Of each fault the number of its message, 0 where it was not stored, and of its kind in one. */
  readonly #said = new NumberList();
  #messages: string[] | undefined;
  #numbers: Map<string, number> | undefined;
  /** Where the last fault of the text so far starts. */
  #last = 0;
  #isOrdered = true;

  get length(): number {
    return this.#spans.length;
  }

  push({ span, kind, message }: TextFault): void {
    const isBefore = span.start < this.#last;
    if (isBefore) this.#isOrdered = false;
    else this.#last = span.start;
    this.#spans.push(span);
    const number = this.#numberOf(message, isBefore ? Infinity : MOST_MESSAGES);
    this.#said.push(number * KINDS.length + KINDS.indexOf(kind));
  }

  /** Drops all faults from an index on, counted in the order in which they were added. */
  cut(length: number): void {
    this.#spans.cut(length);
    this.#said.cut(length);
  }

  *[Symbol.iterator](): Generator<TextFault, void> {
    const order = this.#isOrdered ? undefined : this.#sort();
    for (let at = 0; at < this.length; at++) {
      const index = order?.[at] ?? at;
      const span = this.#spans.at(index);
      const said = this.#said.at(index) ?? 0;
      const kind = KINDS[said % KINDS.length];
      const message = this.#messages?.[Math.floor(said / KINDS.length)] ?? OTHER;
      if (span && kind) yield { span, kind, message };
    }
  }

  /** The number of a message. One that stands before others is read among the first, so it is stored in any case. */
  #numberOf(message: string, most: number): number {
    const messages = (this.#messages ??= [OTHER]);
    const numbers = (this.#numbers ??= new Map<string, number>());
    const known = numbers.get(message);
    if (known !== undefined) return known;
    if (messages.length > most) return 0;
    numbers.set(message, messages.length);
    return messages.push(message) - 1;
  }

  #sort(): Int32Array {
    const start = (index: number): number => this.#spans.startOf(index) ?? 0;
    return Int32Array.from({ length: this.length }, (_, index) => index).sort(
      (a, b) => start(a) - start(b) || a - b,
    );
  }
}
