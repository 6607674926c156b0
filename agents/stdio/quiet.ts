/** Milliseconds without output behind a line end, after which a message that the grammar does not accept is over. */
export const QUIET_MS = 1_000;

/** Waits for a process that says nothing more behind a line end (reading of LightAICL, section 1.2). */
export class Quiet {
  readonly #onQuiet: () => void;
  readonly #milliseconds: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(onQuiet: () => void, milliseconds = QUIET_MS) {
    this.#onQuiet = onQuiet;
    this.#milliseconds = milliseconds;
  }

  /** Takes what came last, and whatever says whether a message may be over with it. */
  heard(bytes: Uint8Array, reader: { readonly mayBeOver: boolean }): void {
    this.stop();
    const last = bytes.at(-1);
    if (reader.mayBeOver && (last === LF || last === CR))
      this.#timer = setTimeout(this.#onQuiet, this.#milliseconds).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

const LF = 10;
const CR = 13;
