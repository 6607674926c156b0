const NONE = new Int32Array(0);
const FIRST_LENGTH = 16;

/** Whole numbers below 2^31, four bytes each: a list of objects takes ten times as much, and texts are foreign. */
export class NumberList {
  #numbers = NONE;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Int32Array(Math.max(FIRST_LENGTH, this.#length * 2));
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.#length++] = number;
  }

  /** The number at an index; undefined outside the list. */
  at(index: number): number | undefined {
    return index < this.#length ? this.#numbers[index] : undefined;
  }

  /** Writes over the number at an index. */
  set(index: number, number: number): void {
    if (index < this.#length) this.#numbers[index] = number;
  }

  /** Drops all from an index on. */
  cut(length: number): void {
    this.#length = Math.min(this.#length, length);
  }
}
