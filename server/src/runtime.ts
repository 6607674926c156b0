import type { LanguageId } from '../../core/catalog/languages.ts';
import type { EncodingName } from '../../core/catalog/encodings.ts';
import type { Encoding } from '../../protocols/cost/encoding.ts';
import type { LanguageSupport } from '../../language/support.ts';

/** A timer that can be taken back before it fires. */
export interface RunningTimer {
  cancel(): void;
}

/** A file on the disk. */
export interface DiskFile {
  readonly uri: string;
  /** In bytes. */
  readonly size: number;
  /** Another one once the file was written again. */
  readonly stamp: string;
}

export interface DiskListing {
  readonly files: readonly DiskFile[];
  /** False where there are more than are listed. */
  readonly isWhole: boolean;
}

/** The disk, where the server runs beside one. */
export interface Disk {
  /** At most so many of the files below the folders `roots` whose names are wanted; hidden folders are left out. */
  list(roots: readonly string[], isWanted: (name: string) => boolean, most: number): Promise<DiskListing>;
  /** The text of a file; undefined where it cannot be read. */
  read(uri: string): Promise<string | undefined>;
}

/** Asks the client something, for a server that cannot find it out itself. */
export type AskClient = (method: string, params: object) => Promise<unknown>;

/**
 * What the server takes from the place where it runs: a Node process, a web worker or a test.
 * The server itself knows no clock and no process.
 */
export interface Runtime {
  readonly languages: Readonly<Record<LanguageId, LanguageSupport>>;
  /** Absent in a web worker. */
  readonly disk?: Disk;
  /** Resolves after the messages that already arrived had their turn. */
  yieldToQueue(): Promise<void>;
  /** Calls back once after so many milliseconds. */
  startTimer(milliseconds: number, callback: () => void): RunningTimer;
  /** Milliseconds of a clock that never goes back. */
  now(): number;
  /** The encoding, which is loaded when it is first asked for. Rejects with a sentence where it cannot be. */
  loadEncoding(name: EncodingName, ask: AskClient): Promise<Encoding>;
}
