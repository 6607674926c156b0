import { NumberList, SpanList } from '../../core/text/number-list.ts';
import type { Span } from '../../core/text/span.ts';

/** A message to be written: its index in the source, protocol and span. */
export interface WantedMessage {
  readonly index: number;
  readonly protocol: string;
  readonly span: Span;
}

/** The messages to be written, in order, in compact form. */
export class WantedMessages {
  readonly #indices = new NumberList();
  readonly #protocols = new NumberList();
  readonly #spans = new SpanList();
  /** The protocol names by their numbers in `#protocols`. */
  readonly #names: string[] = [];

  get length(): number {
    return this.#indices.length;
  }

  push({ index, protocol, span }: WantedMessage): void {
    this.#indices.push(index);
    if (!this.#names.includes(protocol)) this.#names.push(protocol);
    this.#protocols.push(this.#names.indexOf(protocol));
    this.#spans.push(span);
  }

  /** The index in the source of the message at a position. */
  indexAt(at: number): number | undefined {
    return this.#indices.at(at);
  }

  *[Symbol.iterator](): Generator<WantedMessage, void> {
    for (let at = 0; at < this.length; at++) {
      const index = this.#indices.at(at);
      const protocol = this.#names[this.#protocols.at(at) ?? 0];
      const span = this.#spans.at(at);
      if (index !== undefined && protocol && span) yield { index, protocol, span };
    }
  }
}

const NOWHERE: Span = { start: -1, end: -1 };

/**
 * The span of each message in the written text, in compact form; undefined for one whose text is part of a
 * neighbour's.
 */
export class WrittenSpans {
  readonly #spans = new SpanList();

  at(index: number): Span | undefined {
    const span = this.#spans.at(index);
    return span && span.start >= 0 ? span : undefined;
  }

  /** The start of the span. */
  startOf(index: number): number | undefined {
    const start = this.#spans.startOf(index);
    return start !== undefined && start >= 0 ? start : undefined;
  }

  set(index: number, span: Span): void {
    while (this.#spans.length <= index) this.#spans.push(NOWHERE);
    this.#spans.set(index, span);
  }
}
