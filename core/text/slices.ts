/** Runs sliced work to its end without pausing. */
export function runAtOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The maximum duration of a slice in milliseconds, after which other work gets a turn. */
const SLICE_MS = 10;

/** What sliced work needs from the environment that runs it. */
export interface SliceHost {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Resolves after the work that is waiting in the queue had its turn. */
  readonly yieldToQueue: () => Promise<void>;
  /** True once the result is no longer needed; checked between slices. */
  readonly isStopped: () => boolean;
  /** The duration of a slice in milliseconds, if it differs from the default. */
  readonly slice?: number;
}

/** Runs sliced work and yields to other work between slices; undefined if the host stopped it. */
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

/** Slices for asynchronous work, which cannot be a generator: the caller checks `isDue` after each step. */
export class SliceTurns {
  readonly #host: SliceHost;
  #start: number;

  constructor(host: SliceHost) {
    this.#host = host;
    this.#start = host.now();
  }

  /** True once the current slice has used up its time. */
  get isDue(): boolean {
    return this.#host.now() - this.#start >= (this.#host.slice ?? SLICE_MS);
  }

  /** Yields to other work; false once the result is no longer needed. */
  async yield(): Promise<boolean> {
    await this.#host.yieldToQueue();
    this.#start = this.#host.now();
    return !this.#host.isStopped();
  }
}

/** The number of characters that one slice reads or writes: a few milliseconds of work. */
const CHARACTERS = 1 << 14;
/** The maximum number of messages in a slice, however short they are. */
const MESSAGES = 64;

/**
 * Measures slices by characters and messages instead of time,
 * for work that goes through a text or builds one from messages.
 */
export class SliceMeter {
  #start = 0;
  #messages = 0;

  /** True at the end of a slice. `at` is the progress of the work in characters. Call it once for each message. */
  isFull(at: number): boolean {
    if (++this.#messages < MESSAGES && at - this.#start < CHARACTERS) return false;
    this.#start = at;
    this.#messages = 0;
    return true;
  }

  /** Starts a new slice at an offset. */
  restart(at: number): void {
    this.#start = at;
  }

  /** Like `isFull`, within one message: counts characters only. */
  isPast(at: number): boolean {
    if (at - this.#start < CHARACTERS) return false;
    this.#start = at;
    return true;
  }
}
