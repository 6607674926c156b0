/** The maximum number of bytes at the end of an error output that are examined. */
const LOOK = 8192;

/** A line that names an error, as Node, Python, Java and others print them: `Error: …`, `ValueError: …`. */
const ERROR_LINE = /^(?:Uncaught |Caused by: )?[\w.$]*(?:Error|Exception|error|panicked)\b.*:/;

/** Stores the end of an error output, for the sentence about a process that ended. */
export class LastWords {
  #tail = Buffer.alloc(0);

  push(bytes: Buffer): void {
    const both = bytes.length >= LOOK ? bytes : Buffer.concat([this.#tail, bytes]);
    // A copy: a part of a larger buffer would retain all of it.
    this.#tail = Buffer.from(both.subarray(Math.max(0, both.length - LOOK)));
  }

  /** The last line that names an error, else the last one that is not blank; undefined if nothing was written. */
  find(): string | undefined {
    const all = this.#tail.toString('utf8').split(/[\r\n]+/);
    // A line whose beginning is missing could hold half of a secret, which would not be recognised.
    const lines = (this.#tail.length === LOOK ? all.slice(1) : all)
      .map(line => line.trim())
      .filter(line => line !== '');
    return lines.findLast(line => ERROR_LINE.test(line)) ?? lines.at(-1);
  }
}
