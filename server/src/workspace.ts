import {
  DidChangeWatchedFilesNotification,
  type ClientCapabilities,
  type Connection,
  type InitializeParams,
} from 'vscode-languageserver';
import { LANGUAGES } from '../../core/catalog/languages.ts';
import type { Settings } from '../../core/catalog/settings.ts';
import type { OpenDocument } from '../../language/support.ts';
import { languageOfFile } from '../../language/languages.ts';
import type { Documents } from './documents.ts';
import { fileKey } from './file-key.ts';
import type { Disk, DiskFile, Runtime } from './runtime.ts';

/** A file in a supported language: its state in the editor if it is open, otherwise on disk. */
export interface WorkspaceFile {
  readonly uri: string;
  /** The editor's version; undefined for a file that is not open. */
  readonly version: number | undefined;
  /** The same object until the file or the settings change. */
  readonly document: OpenDocument;
}

/** A file from disk, as it was read. */
interface ReadFile extends WorkspaceFile {
  readonly stamp: string;
  readonly settings: Settings;
}

const MAX_FILES = 2_000;
/** Limits the total size, because a document in memory takes several times the size of its file. */
const MAX_MEGABYTES = 16;
const MAX_BYTES = MAX_MEGABYTES * 1_000_000;
/** Number of files read concurrently, because most of the time is spent waiting for the disk. */
const READ_TOGETHER = 16;

const CUT_NOTICE =
  `This workspace holds more .aicl and .aicf files than are searched (${MAX_FILES} files, ${MAX_MEGABYTES} MB): ` +
  'open a file to have it searched too';

/**
 * The workspace files in supported languages. Open documents take precedence over the disk. Files are read on
 * first use. Later the disk is listed again only after a save or a change reported by the client, and only
 * changed files are read. In a web worker there are open documents only.
 */
export class Workspace {
  readonly #runtime: Runtime;
  readonly #documents: Documents;
  readonly #log: (message: string) => void;
  readonly #roots: Set<string>;
  /** The last or current reading; undefined if it may be out of date. */
  #reading: Promise<ReadonlyMap<string, ReadFile>> | undefined;
  #known: ReadonlyMap<string, ReadFile> = new Map();
  #settings: Settings | undefined;
  #isCutReported = false;
  readonly #forgotten: (() => void)[] = [];

  constructor(
    host: {
      readonly runtime: Runtime;
      readonly documents: Documents;
      readonly log: (message: string) => void;
    },
    params: Pick<InitializeParams, 'workspaceFolders' | 'rootUri'>,
  ) {
    this.#runtime = host.runtime;
    this.#documents = host.documents;
    this.#log = host.log;
    const root = params.rootUri ? [params.rootUri] : [];
    this.#roots = new Set(params.workspaceFolders?.map(folder => folder.uri) ?? root);
    this.#documents.onSave(() => this.forget());
  }

  /** All files: first the open ones, then those on disk within the limits of number and size. */
  async files(): Promise<readonly WorkspaceFile[]> {
    if (this.#settings !== this.#documents.settings) this.#reading = undefined;
    this.#settings = this.#documents.settings;
    const onDisk = await (this.#reading ??= this.#read());
    const open = this.#documents.all();
    const openKeys = new Set(open.map(({ uri }) => fileKey(uri)));
    const closed = [...onDisk].filter(([key]) => !openKeys.has(key)).map(([, file]) => file);
    return [...open, ...closed];
  }

  /** Adds a listener that is called when files may have changed. */
  onForget(listener: () => void): void {
    this.#forgotten.push(listener);
  }

  /** Subscribes to changes of folders and, after `watch`, of files; call this once the client is initialized. */
  follow(connection: Connection, client: ClientCapabilities): void {
    connection.onDidChangeWatchedFiles(() => this.forget());
    if (client.workspace?.workspaceFolders !== true) return;
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      for (const { uri } of removed) this.#roots.delete(uri);
      for (const { uri } of added) this.#roots.add(uri);
      this.forget();
    });
  }

  /** Asks the client to watch files, if it can. */
  async watch(connection: Connection, client: ClientCapabilities): Promise<void> {
    if (!this.#runtime.disk || client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    await connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: LANGUAGES.map(({ extensions }) => ({ globPattern: patternOf(extensions) })),
    });
  }

  /** Lists the disk again on next use; also called when files must be read differently. */
  forget(): void {
    this.#reading = undefined;
    for (const listener of this.#forgotten) listener();
  }

  async #read(): Promise<ReadonlyMap<string, ReadFile>> {
    const { disk } = this.#runtime;
    const found = new Map<string, ReadFile>();
    if (!disk || this.#roots.size === 0) return found;
    const isOurs = (name: string): boolean => languageOfFile(name) !== undefined;
    const { files, isWhole } = await disk.list([...this.#roots], isOurs, MAX_FILES);
    let bytes = 0;
    const fitting = files.filter(({ size }) => {
      const fits = bytes + size <= MAX_BYTES;
      if (fits) bytes += size;
      return fits;
    });
    for (let at = 0; at < fitting.length; at += READ_TOGETHER) {
      const together = fitting.slice(at, at + READ_TOGETHER);
      const read = await Promise.all(together.map(file => this.#readFile(disk, file)));
      for (const file of read) if (file) found.set(fileKey(file.uri), file);
    }
    const isCut = !isWhole || fitting.length < files.length;
    if (isCut && !this.#isCutReported) this.#log(CUT_NOTICE);
    this.#isCutReported ||= isCut;
    return (this.#known = found);
  }

  /** Reads a file if it has changed; undefined if it no longer exists. */
  async #readFile(disk: Disk, { uri, stamp }: DiskFile): Promise<ReadFile | undefined> {
    const settings = this.#documents.settingsOf(uri);
    const known = this.#known.get(fileKey(uri));
    if (known?.stamp === stamp && known.settings === settings) return known;
    // Each read completes in its own turn, so messages from the editor are handled before the next parse.
    const text = await disk.read(uri, MAX_BYTES);
    const document = text === undefined ? undefined : this.#documents.readText(uri, text);
    return document && { uri, version: undefined, document, stamp, settings };
  }
}

/** The glob pattern of files whose names end in one of several ways. */
function patternOf(ends: readonly string[]): string {
  return ends.length === 1 ? `**/*${ends.join()}` : `**/*{${ends.join(',')}}`;
}
