/** Pages are as large as a quiet file needs them, and grow up to this while much comes, in bytes. */
const FIRST = 64 * 2 ** 10;
const LARGEST = 2 ** 20;

/** A character of a string is so many bytes of UTF-8 at most. */
const WIDEST = 3;

/**
 * Lines as UTF-8, in pages of memory that are used again: where much is written, to join texts, to encode them and to get
 * memory for each piece takes as long as to print them.
 */
export class LinePages {
  #size = FIRST;
  #page: Buffer | undefined;
  #used = 0;
  #spare: Buffer | undefined;

  /** Takes a line with its end. Answers what is to be written because of it, in order. */
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

  /** What waits, to be written. Give it back afterwards. */
  take(): readonly Buffer[] {
    if (!this.#page || this.#used === 0) return [];
    const full = this.#page.subarray(0, this.#used);
    this.#page = undefined;
    this.#used = 0;
    return [full];
  }

  /** The memory of what was written serves again. */
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
