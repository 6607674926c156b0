import { DEFAULT_SETTINGS, type Settings } from '../../core/catalog/settings.ts';
import type { DialectChoice } from '../../wire/server-messages.ts';
import { fileKey } from './file-key.ts';

/** The settings with which files are read: common ones, and the dialects chosen for single files. */
export class FileSettings {
  #common: Settings = DEFAULT_SETTINGS;
  #dialects: ReadonlyMap<string, DialectChoice['dialect']> = new Map();
  /** The settings by chosen dialect; all files with the same choice share one object. */
  readonly #made = new Map<DialectChoice['dialect'], Settings>();

  get common(): Settings {
    return this.#common;
  }

  useCommon(settings: Settings): void {
    this.#common = settings;
    this.#made.clear();
  }

  useDialects(choices: readonly DialectChoice[]): void {
    this.#dialects = new Map(choices.map(({ uri, dialect }) => [fileKey(uri), dialect]));
  }

  /** The settings of a file. */
  of(uri: string): Settings {
    const dialect = this.#dialects.get(fileKey(uri));
    if (dialect === undefined) return this.#common;
    const made = this.#made.get(dialect) ?? { ...this.#common, 'aicf.dialect': dialect };
    this.#made.set(dialect, made);
    return made;
  }
}
