/** The result of work in slices, without a rest between them. */
export function runAtOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Milliseconds of work before others have their turn. */
const SLICE_MS = 10;

/** What work in slices needs of the place where it runs. */
export interface SliceHost {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Resolves after everything that waits had its turn. */
  readonly yieldToQueue: () => Promise<void>;
  /** True once nobody wants the result any more: checked between slices. */
  readonly isStopped: () => boolean;
  /** Milliseconds of a slice, where they are others than usual. */
  readonly slice?: number;
}

/** The result of work in slices, between which others have their turn; undefined where it was stopped. */
export async function runInSlices<Step, T>(
  work: Generator<Step, T>,
  host: SliceHost,
  onSlice: (step: Step) => void = () => undefined,
): Promise<{ readonly result: T } | undefined> {
  const turns = new SliceTurns(host);
  for (;;) {
    const step = work.next();
    if (step.done) return { result: step.value };
    if (!turns.isDue) continue;
    onSlice(step.value);
    if (!(await turns.yield())) return undefined;
  }
}

/** The turns of work that waits for others between its steps, and so is no generator: it asks after each step. */
export class SliceTurns {
  readonly #host: SliceHost;
  #start: number;

  constructor(host: SliceHost) {
    this.#host = host;
    this.#start = host.now();
  }

  /** True where a slice is over. */
  get isDue(): boolean {
    return this.#host.now() - this.#start >= (this.#host.slice ?? SLICE_MS);
  }

  /** Lets others have their turn. False once nobody wants the result any more. */
  async yield(): Promise<boolean> {
    await this.#host.yieldToQueue();
    this.#start = this.#host.now();
    return !this.#host.isStopped();
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

  /** Starts a slice at an offset: what was done before does not count. */
  restart(at: number): void {
    this.#start = at;
  }

  /** True where a slice ends within one message: only characters count. */
  isPast(at: number): boolean {
    if (at - this.#start < CHARACTERS) return false;
    this.#start = at;
    return true;
  }
}
