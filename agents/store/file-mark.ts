import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { readAt } from './read-at.ts';

/** So many bytes before the place up to which a file was read are compared: lines of a trace differ within these. */
const LENGTH = 256;

/**
 * How a file that grows is known again: by what the system calls it, by the last bytes of it that were read, and, where it did not
 * grow, by the time at which it was written. The system's name alone does not do: one that is written over keeps it, and that of a
 * removed file is given to the next.
 */
export class FileMark {
  readonly #stats: BigIntStats;
  readonly #start: number;
  readonly #bytes: Buffer;

  private constructor(stats: BigIntStats, start: number, bytes: Buffer) {
    this.#stats = stats;
    this.#start = start;
    this.#bytes = bytes;
  }

  /** The mark of a file that was read up to a place, and of what the system said of it before. */
  static async of(file: FileHandle, stats: BigIntStats, offset: number): Promise<FileMark> {
    const start = Math.max(0, offset - LENGTH);
    return new FileMark(stats, start, await readAt(file, start, offset - start));
  }

  /** True for the same file with more or nothing after the place, and false for any other. */
  async isOn(file: FileHandle, { ino, dev, size, mtimeNs }: BigIntStats): Promise<boolean> {
    const before = this.#stats;
    if (ino !== before.ino || dev !== before.dev) return false;
    if (size === before.size && mtimeNs !== before.mtimeNs) return false;
    return this.#bytes.equals(await readAt(file, this.#start, this.#bytes.length));
  }
}
