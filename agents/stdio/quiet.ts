/** Milliseconds without output after a line end that complete a message which the grammar does not accept. */
export const QUIET_MS = 1_000;

/** Detects that a process writes nothing more after a line end (reading of LightAICL, section 1.2). */
export class Quiet {
  readonly #onQuiet: () => void;
  readonly #milliseconds: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(onQuiet: () => void, milliseconds = QUIET_MS) {
    this.#onQuiet = onQuiet;
    this.#milliseconds = milliseconds;
  }

  /** Takes the latest output, and the reader that knows whether a message may be complete with it. */
  observe(bytes: Uint8Array, reader: { readonly mayBeOver: boolean }): void {
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
