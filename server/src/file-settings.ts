import { DEFAULT_SETTINGS, type Settings } from '../../core/catalog/settings.ts';
import type { DialectChoice } from '../../wire/server-messages.ts';
import { fileKey } from './file-key.ts';

/** The settings that files are read with: the same for all, but for the dialects that were chosen for single files. */
export class FileSettings {
  #common: Settings = DEFAULT_SETTINGS;
  #dialects: ReadonlyMap<string, DialectChoice['dialect']> = new Map();
  /** One object for all files with the same choice. */
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

  /** What a file is read with. */
  of(uri: string): Settings {
    const dialect = this.#dialects.get(fileKey(uri));
    if (dialect === undefined) return this.#common;
    const made = this.#made.get(dialect) ?? { ...this.#common, 'aicf.dialect': dialect };
    this.#made.set(dialect, made);
    return made;
  }
}
