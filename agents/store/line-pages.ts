/** The size of a page in bytes: small for a file with few events, growing up to the maximum while there are many. */
const FIRST = 64 * 2 ** 10;
const LARGEST = 2 ** 20;

/** The maximum number of UTF-8 bytes for a character of a string. */
const WIDEST = 3;

/**
 * Lines as UTF-8, in pages of memory that are reused: if much is written, joining and encoding texts and
 * allocating memory for each piece takes as long as printing the lines.
 */
export class LinePages {
  #size = FIRST;
  #page: Buffer | undefined;
  #used = 0;
  #spare: Buffer | undefined;

  /** Adds a line with its end. Returns what has to be written as a result, in order. */
  add(line: string): readonly Buffer[] {
    const most = line.length * WIDEST;
    if (this.#page && most <= this.#page.length - this.#used) {
      this.#used += this.#page.write(line, this.#used);
      return [];
    }
    const full = this.take();
    if (most > LARGEST) return [...full, Buffer.from(line)];
    if (full.length > 0 || most > this.#size) this.#grow(most);
    this.#page = this.#spare ?? Buffer.allocUnsafeSlow(this.#size);
    this.#spare = undefined;
    this.#used = this.#page.write(line);
    return full;
  }

  /** Returns what waits, to be written. It has to be given back afterwards. */
  take(): readonly Buffer[] {
    if (!this.#page || this.#used === 0) return [];
    const full = this.#page.subarray(0, this.#used);
    this.#page = undefined;
    this.#used = 0;
    return [full];
  }

  /** Makes the memory of a written page available again. */
  giveBack({ buffer }: Buffer): void {
    if (buffer instanceof ArrayBuffer && buffer.byteLength === this.#size) this.#spare = Buffer.from(buffer);
  }

  #grow(least: number): void {
    const before = this.#size;
    this.#size = Math.min(before * 2, LARGEST);
    while (this.#size < least) this.#size *= 2;
    if (this.#size > before) this.#spare = undefined;
  }
}
