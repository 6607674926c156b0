import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { readAt } from './read-at.ts';

/** The number of bytes before the end of the read part that are compared: lines of a trace differ within these. */
const LENGTH = 256;

/**
 * Recognises a file that grows: by the system's id of it, by the last bytes that were read and, if it has not
 * grown, by the time of its last change. The id alone is not enough: a file that is overwritten keeps it, and
 * the id of a removed file is given to the next.
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

  /** The mark of a file that was read up to `offset`. `stats` were taken before. */
  static async of(file: FileHandle, stats: BigIntStats, offset: number): Promise<FileMark> {
    const start = Math.max(0, offset - LENGTH);
    return new FileMark(stats, start, await readAt(file, start, offset - start));
  }

  /** True for the same file, unchanged or with more at its end; false for any other. */
  async isOn(file: FileHandle, { ino, dev, size, mtimeNs }: BigIntStats): Promise<boolean> {
    const before = this.#stats;
    if (ino !== before.ino || dev !== before.dev) return false;
    if (size === before.size && mtimeNs !== before.mtimeNs) return false;
    return this.#bytes.equals(await readAt(file, this.#start, this.#bytes.length));
  }
}
