import type { FileHandle } from 'node:fs/promises';
import { readAt } from './read-at.ts';

/** So many bytes before the place up to which a file was read are compared: lines of a trace differ within these. */
const LENGTH = 256;

/**
 * How a file that grows is known again: by what the system calls it and by the last bytes of it that were read. The system's name
 * alone does not do: one that is written over keeps it, and that of a removed file is given to the next.
 */
export class FileMark {
  readonly #ino: number;
  readonly #dev: number;
  readonly #start: number;
  readonly #bytes: Buffer;

  private constructor(ino: number, dev: number, start: number, bytes: Buffer) {
    this.#ino = ino;
    this.#dev = dev;
    this.#start = start;
    this.#bytes = bytes;
  }

  /** The mark of a file that was read up to a place. */
  static async of(file: FileHandle, offset: number): Promise<FileMark> {
    const { ino, dev } = await file.stat();
    const start = Math.max(0, offset - LENGTH);
    return new FileMark(ino, dev, start, await readAt(file, start, offset - start));
  }

  /** True for the same file with more or nothing after the place, and false for any other. */
  async isOn(file: FileHandle): Promise<boolean> {
    const { ino, dev } = await file.stat();
    if (ino !== this.#ino || dev !== this.#dev) return false;
    return this.#bytes.equals(await readAt(file, this.#start, this.#bytes.length));
  }
}
