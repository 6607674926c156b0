/** Tells which numbers of a sequence from 1 came already. What is missing is kept as spans, however wide a gap is. */
export class SequenceCheck {
  #next: number;
  /** Numbers that were passed over, from the first to the last of each span, in order. */
  #missing: { from: number; to: number }[] | undefined;

  /** All numbers before `next` came. */
  constructor(next: number) {
    this.#next = next;
  }

  /** True the first time that a number comes. */
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
