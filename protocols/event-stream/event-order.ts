import { findEntry, textIn, type Value } from '../../core/values/value.ts';

/** The maximum number of events that wait for a missing one; at this count, the order of arrival applies. */
const MAX_WAITING = 100;

/**
 * Puts events into the order of their sequence numbers (reading of the Agent API, section 6) as long as each has a new
 * number; from the first one that does not, the order of arrival applies. Gaps and repeats are reported.
 */
export class EventOrder {
  readonly #waiting = new Map<number, Value>();
  readonly #report: (note: string) => void;
  #next: number | undefined;
  #isNumbered = true;

  constructor(report: (note: string) => void) {
    this.#report = report;
  }

  /** Takes an event and returns those that are now due, in order. */
  push(event: Value): readonly Value[] {
    if (!this.#isNumbered) return [event];
    const number = numberOf(event);
    // The error of a request that got no response has no number; it is emitted at once.
    if (number === undefined) return this.#giveUp(event);
    this.#next ??= number;
    if (number < this.#next || this.#waiting.has(number)) {
      this.#report(
        'The numbers of its events repeat or go back; they are shown in the order in which they came',
      );
      return this.#giveUp(event);
    }
    this.#waiting.set(number, event);
    const due = this.#take();
    if (this.#waiting.size < MAX_WAITING) return due;
    this.#reportGap();
    return [...due, ...this.#giveUp()];
  }

  /** Returns the events that still wait for missing ones. */
  end(): readonly Value[] {
    if (this.#waiting.size > 0) this.#reportGap();
    return this.#giveUp();
  }

  #take(): readonly Value[] {
    const due: Value[] = [];
    for (;;) {
      const event = this.#next === undefined ? undefined : this.#waiting.get(this.#next);
      if (!event || this.#next === undefined) return due;
      this.#waiting.delete(this.#next++);
      due.push(event);
    }
  }

  #giveUp(...more: readonly Value[]): readonly Value[] {
    this.#isNumbered = false;
    const waiting = [...this.#waiting].sort(([a], [b]) => a - b).map(([, event]) => event);
    this.#waiting.clear();
    return [...waiting, ...more];
  }

  #reportGap(): void {
    this.#report('The numbers of its events have gaps: some may be missing');
  }
}

/** The sequence number of an event; the Agent API declares it as a text, and its servers send a number. */
export function numberOf(event: Value): number | undefined {
  const number = findEntry(event, 'sequence_number');
  if (number?.kind === 'int') return typeof number.int === 'number' ? number.int : undefined;
  const text = textIn(number) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
