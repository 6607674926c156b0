import { findEntry, type Value } from '../../core/values/value.ts';

/** So many events wait for one that is missing; then the order of arrival counts. */
const MOST_WAITING = 100;

/**
 * Puts events into the order of their sequence numbers (reading of the Agent API, section 6), as far as all carry
 * different ones; else the order of arrival counts from there on. What is missing or there twice is told.
 */
export class EventOrder {
  readonly #waiting = new Map<number, Value>();
  readonly #tell: (note: string) => void;
  #next: number | undefined;
  #isNumbered = true;

  constructor(tell: (note: string) => void) {
    this.#tell = tell;
  }

  /** The events whose turn it is with this one. */
  push(event: Value): readonly Value[] {
    if (!this.#isNumbered) return [event];
    const number = numberOf(event);
    // A failure before there is a response has no number, and is not waited for.
    if (number === undefined) return this.#giveUp(event);
    this.#next ??= number;
    if (number < this.#next || this.#waiting.has(number)) {
      this.#tell(
        'The numbers of its events repeat or go back; they are shown in the order in which they came',
      );
      return this.#giveUp(event);
    }
    this.#waiting.set(number, event);
    const due = this.#take();
    if (this.#waiting.size < MOST_WAITING) return due;
    this.#tellGap();
    return [...due, ...this.#giveUp()];
  }

  /** What still waits for events that never came. */
  end(): readonly Value[] {
    if (this.#waiting.size > 0) this.#tellGap();
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

  #tellGap(): void {
    this.#tell('The numbers of its events have gaps: some may be missing');
  }
}

function numberOf(event: Value): number | undefined {
  const number = findEntry(event, 'sequence_number');
  return number?.kind === 'int' && typeof number.int === 'number' ? number.int : undefined;
}
