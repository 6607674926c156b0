/** Receives output. */
export type Print = (text: string) => void;

/**
 * Orders the output of parallel suites: the first one that has not ended prints immediately, and the output
 * of later ones is buffered until their turn.
 */
export class Turns {
  readonly #write: Print;
  readonly #waiting: string[][];
  readonly #ended = new Set<number>();
  #turn = 0;

  /** `count` is the number of suites; `write` receives the ordered output. */
  constructor(count: number, write: Print) {
    this.#write = write;
    this.#waiting = Array.from({ length: count }, () => []);
  }

  /** Adds output of the suite at an index, in lines or parts of lines. */
  print(place: number, text: string): void {
    if (place === this.#turn) this.#write(text);
    else this.#waiting[place]?.push(text);
  }

  /** Marks the suite at an index as ended. */
  end(place: number): void {
    this.#ended.add(place);
    while (this.#ended.has(this.#turn)) {
      this.#turn++;
      for (const text of this.#waiting[this.#turn] ?? []) this.#write(text);
    }
  }
}
