/** The maximum of bytes, and of lines, that a process may write in a row that are no message. */
const MAX_BYTES = 8 * 2 ** 20;
const MAX_LINES = 20_000;

/** That maximum in words. */
export const MOST_FOREIGN = '8 MiB or 20,000 lines';

/** Counts what a process writes since its last message, so that one that writes no messages is ended. */
export class ForeignOutput {
  #bytes = 0;
  #lines = 0;

  /** Adds a line, or another piece of output. */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.#lines++;
  }

  /** What follows may be a message. */
  stop(): void {
    this.#bytes = -Infinity;
    this.#lines = -Infinity;
  }

  /** A message has arrived. */
  clear(): void {
    this.#bytes = 0;
    this.#lines = 0;
  }

  /** True if it is too much, with bytes at its end that are not added yet. */
  isTooMuch(more = 0): boolean {
    return this.#bytes + more > MAX_BYTES || this.#lines > MAX_LINES;
  }
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d, 0x0a]);
const OPENERS: ReadonlySet<number> = new Set([...'{['].map(each => each.charCodeAt(0)));

/** True if output, of which the end may be missing, can become JSON with an object or a list. */
export function mayBeJson(pieces: readonly Uint8Array[]): boolean {
  for (const piece of pieces) {
    const first = piece.find(byte => !BLANKS.has(byte));
    if (first !== undefined) return OPENERS.has(first);
  }
  return false;
}
