/** Takes what one suite prints. */
export type Print = (text: string) => void;

/**
 * Puts what runs side by side into one order. The first that has not ended prints as it goes; what the others print waits
 * for their turn.
 */
export class Turns {
  readonly #write: Print;
  readonly #waiting: string[][];
  readonly #ended = new Set<number>();
  #turn = 0;

  /** For `count` suites; `write` gets what they print. */
  constructor(count: number, write: Print) {
    this.#write = write;
    this.#waiting = Array.from({ length: count }, () => []);
  }

  /** What the suite at a place prints, in whole lines or in pieces. */
  print(place: number, text: string): void {
    if (place === this.#turn) this.#write(text);
    else this.#waiting[place]?.push(text);
  }

  /** The suite at a place has printed all. */
  end(place: number): void {
    this.#ended.add(place);
    while (this.#ended.has(this.#turn)) {
      this.#turn++;
      for (const text of this.#waiting[this.#turn] ?? []) this.#write(text);
    }
  }
}
