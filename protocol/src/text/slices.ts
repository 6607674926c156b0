/** The result of work in slices, without a rest between them. */
export function runAtOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** So many characters are a slice's work: a few milliseconds, whatever is read or written. */
const CHARACTERS = 1 << 14;
/** And so many messages, however short. */
const MESSAGES = 64;

/** Says when work that goes through a text, or through messages that make one, has done enough for a slice. */
export class SliceMeter {
  #start = 0;
  #messages = 0;

  /** True where a slice ends: `at` is how far the work is in its text, in characters. Call once a message. */
  isFull(at: number): boolean {
    if (++this.#messages < MESSAGES && at - this.#start < CHARACTERS) return false;
    this.#start = at;
    this.#messages = 0;
    return true;
  }
}
