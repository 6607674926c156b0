import type { LanguageId } from '../../core/catalog/languages.ts';
import type { EncodingName } from '../../core/catalog/costs.ts';
import type { Encoding } from '../../protocols/cost/encoding.ts';
import type { LanguageSupport } from '../../language/support.ts';

/** A timer that can be cancelled before it fires. */
export interface RunningTimer {
  cancel(): void;
}

/** A file on the disk. */
export interface DiskFile {
  readonly uri: string;
  /** The size in bytes. */
  readonly size: number;
  /** Changes when the file is written. */
  readonly stamp: string;
}

export interface DiskListing {
  readonly files: readonly DiskFile[];
  /** False if the listing is incomplete. */
  readonly isWhole: boolean;
}

/** Access to the disk, if the server has one. */
export interface Disk {
  /** Lists at most `most` files below the folders `roots` whose names are wanted; hidden folders are left out. */
  list(roots: readonly string[], isWanted: (name: string) => boolean, most: number): Promise<DiskListing>;
  /** The text of a regular file of at most `most` bytes; undefined if it cannot be read. */
  read(uri: string, most: number): Promise<string | undefined>;
}

/** Sends a request to the client, for data that the server cannot get itself. */
export type AskClient = (method: string, params: object) => Promise<unknown>;

/**
 * The environment of the server: a Node process, a web worker or a test. The server itself uses no clock and
 * no process.
 */
export interface Runtime {
  readonly languages: Readonly<Record<LanguageId, LanguageSupport>>;
  /** Absent in a web worker. */
  readonly disk?: Disk;
  /** Resolves after the messages that have already arrived are processed. */
  yieldToQueue(): Promise<void>;
  /** Calls back once after the given time. */
  startTimer(milliseconds: number, callback: () => void): RunningTimer;
  /** The time of a monotonic clock in milliseconds. */
  now(): number;
  /** Loads an encoding on first use. Rejects with a sentence for the user if that fails. */
  loadEncoding(name: EncodingName, ask: AskClient): Promise<Encoding>;
}
