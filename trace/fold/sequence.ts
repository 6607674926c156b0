/**
 * Detects duplicates in a sequence of numbers from 1. Missing numbers are stored as ranges, so that a wide
 * gap costs no more than a narrow one.
 */
export class SequenceCheck {
  #next: number;
  /** Ranges of numbers that were skipped, both ends inclusive, in order. */
  #missing: { from: number; to: number }[] | undefined;

  /** Starts with all numbers before `next` received. */
  constructor(next: number) {
    this.#next = next;
  }

  /** Records a number; true if it was not received before. */
  take(seq: number): boolean {
    if (seq < this.#next) return this.#fill(seq);
    if (seq > this.#next) (this.#missing ??= []).push({ from: this.#next, to: seq - 1 });
    this.#next = seq + 1;
    return true;
  }

  #fill(seq: number): boolean {
    const missing = this.#missing ?? [];
    let at = missing.length - 1;
    for (let low = 0; low <= at;) {
      const middle = (low + at) >> 1;
      if ((missing[middle]?.from ?? 0) <= seq) low = middle + 1;
      else at = middle - 1;
    }
    const span = missing[at];
    if (!span || seq > span.to) return false;
    const rest = [
      { from: span.from, to: seq - 1 },
      { from: seq + 1, to: span.to },
    ];
    missing.splice(at, 1, ...rest.filter(({ from, to }) => from <= to));
    return true;
  }
}
