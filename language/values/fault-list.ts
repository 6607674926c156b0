import { NumberList, SpanList } from '../../core/text/number-list.ts';
import type { TextFault } from './text-layer.ts';
import { DEEPEST } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import { printFloat } from '../../core/text/exact-decimal.ts';
import { LONGEST_INT } from './notation.ts';

/** Maximum number of distinct messages stored; further faults have only span and kind. */
const MAX_MESSAGES = 2_000;

/** The message of a fault whose own message was not stored. */
const OTHER = 'It could not be read';

const KINDS: readonly TextFault['kind'][] = ['dropped', 'rounded', 'moved'];

/** The faults of a text, packed, because a hostile text has one in every few characters. Iterates in text order. */
export class FaultList implements Iterable<TextFault> {
  readonly #spans = new SpanList();
  /** For each fault, the number of its message (0 if not stored) and its kind, combined in one number. */
  readonly #reported = new NumberList();
  #messages: string[] | undefined;
  #numbers: Map<string, number> | undefined;
  /** The largest start of a fault so far. */
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
    const number = this.#numberOf(message, isBefore ? Infinity : MAX_MESSAGES);
    this.#reported.push(number * KINDS.length + KINDS.indexOf(kind));
  }

  /** Drops the faults from an index on, in the order in which they were added. */
  cut(length: number): void {
    this.#spans.cut(length);
    this.#reported.cut(length);
  }

  *[Symbol.iterator](): Generator<TextFault, void> {
    const order = this.#isOrdered ? undefined : this.#sort();
    for (let at = 0; at < this.length; at++) {
      const index = order?.[at] ?? at;
      const span = this.#spans.at(index);
      const reported = this.#reported.at(index) ?? 0;
      const kind = KINDS[reported % KINDS.length];
      const message = this.#messages?.[Math.floor(reported / KINDS.length)] ?? OTHER;
      if (span && kind) yield { span, kind, message };
    }
  }

  /**
   * The number of a message. `most` limits how many are stored; a fault that precedes others is always stored
   * with its message, because readers see the first ones.
   */
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

/** The message for a value that is nested too deep. */
export const DEEP_MESSAGE = `Values are nested deeper than ${DEEPEST} levels here; what is deeper is read as a text of JSON`;

/** The message for a repeated key. */
export function twinMessage(key: string): string {
  return `The key ${quote(key)} comes twice; its earlier value is dropped`;
}

/** The message for an integer that becomes a text. */
export function longIntMessage(literal: string): string {
  return `The integer ${quote(literal)} has more than ${LONGEST_INT} digits; it is read as a text`;
}

/** The message for a number that does not fit a double. */
export function roundedMessage(literal: string, float: number): string {
  const value = Number.isFinite(float) ? printFloat(float) : float > 0 ? 'infinity' : 'minus infinity';
  return `The number ${quote(literal)} does not fit a double; it is read as ${value}`;
}
