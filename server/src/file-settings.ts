import { DEFAULT_SETTINGS, type Settings } from '../../core/catalog/settings.ts';
import { protocolOfFile } from '../../core/catalog/protocols.ts';
import type { DialectChoice } from '../../wire/server-messages.ts';
import { fileKey } from './file-key.ts';

/** The settings with which files are read: common ones, and the dialects chosen for single files. */
export class FileSettings {
  #common: Settings = DEFAULT_SETTINGS;
  #dialects: ReadonlyMap<string, DialectChoice['dialect']> = new Map();
  /** The settings by chosen dialect or by protocol; all files with the same share one object. */
  readonly #made = new Map<string, Settings>();

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
    const protocol = protocolOfFile(uri.replace(/[?#].*/s, ''));
    const dialect = this.#dialects.get(fileKey(uri));
    const key = protocol ?? dialect;
    if (key === undefined) return this.#common;
    const own = protocol === undefined ? dialect && { 'aicf.dialect': dialect } : { protocol };
    const made = this.#made.get(key) ?? { ...this.#common, ...own };
    this.#made.set(key, made);
    return made;
  }
}
