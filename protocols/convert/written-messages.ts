import { CONVERSIONS, type ConversionName } from '../../core/catalog/conversions.ts';
import { NumberList } from '../../core/text/number-list.ts';
import { SpanList } from '../../core/text/span-list.ts';
import type { Span } from '../../core/text/span.ts';

/** A message that is written: its number in the source, from 0, and what is known of it there. */
export interface WantedMessage {
  readonly index: number;
  readonly protocol: ConversionName;
  readonly span: Span;
}

const NAMES = CONVERSIONS.map(({ name }) => name);

/** The messages that are written, in order and packed. */
export class WantedMessages {
  readonly #indices = new NumberList();
  readonly #protocols = new NumberList();
  readonly #spans = new SpanList();

  get length(): number {
    return this.#indices.length;
  }

  push({ index, protocol, span }: WantedMessage): void {
    this.#indices.push(index);
    this.#protocols.push(NAMES.indexOf(protocol));
    this.#spans.push(span);
  }

  /** The number in the source of the message at a place. */
  indexAt(at: number): number | undefined {
    return this.#indices.at(at);
  }

  *[Symbol.iterator](): Generator<WantedMessage, void> {
    for (let at = 0; at < this.length; at++) {
      const index = this.#indices.at(at);
      const protocol = NAMES[this.#protocols.at(at) ?? 0];
      const span = this.#spans.at(at);
      if (index !== undefined && protocol && span) yield { index, protocol, span };
    }
  }
}

const NOWHERE: Span = { start: -1, end: -1 };

/** Where each message stands in what was written, packed; nowhere for one that a neighbour says as well. */
export class WrittenSpans {
  readonly #spans = new SpanList();

  at(index: number): Span | undefined {
    const span = this.#spans.at(index);
    return span && span.start >= 0 ? span : undefined;
  }

  set(index: number, span: Span): void {
    while (this.#spans.length <= index) this.#spans.push(NOWHERE);
    this.#spans.set(index, span);
  }
}
