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

/** A file in a language of ours, as it stands in the editor or, where it is not open there, on the disk. */
export interface WorkspaceFile {
  readonly uri: string;
  /** The editor's version; undefined for a file that is not open. */
  readonly version: number | undefined;
  /** The same object as long as neither the file nor the settings change. */
  readonly document: OpenDocument;
}

/** A file of the disk as it was read. */
interface ReadFile extends WorkspaceFile {
  readonly stamp: string;
  readonly settings: Settings;
}

const MOST_FILES = 2_000;
/** Held in memory, a document takes several times its size. */
const MOST_MEGABYTES = 16;
const MOST_BYTES = MOST_MEGABYTES * 1_000_000;
/** Waiting for the disk takes longer than reading. */
const READ_TOGETHER = 16;

const CUT_NOTICE =
  `This workspace holds more .aicl and .aicf files than are searched (${MOST_FILES} files, ${MOST_MEGABYTES} MB): ` +
  'open a file to have it searched too';

/**
 * The files of the workspace in a language of ours. Open documents win over the disk. Nothing is read before the first
 * question that needs it; after that the disk is listed again once a file was saved or the client said that files
 * changed, and only the files that did change are read. In a web worker the open documents are all there is.
 */
export class Workspace {
  readonly #runtime: Runtime;
  readonly #documents: Documents;
  readonly #log: (message: string) => void;
  readonly #roots: Set<string>;
  /** The last reading, or the one that is under way; undefined once it may be out of date. */
  #reading: Promise<ReadonlyMap<string, ReadFile>> | undefined;
  #known: ReadonlyMap<string, ReadFile> = new Map();
  #settings: Settings | undefined;
  #isCutTold = false;
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

  /** All files: the open ones first, then those of the disk, at most so many and so large. */
  async files(): Promise<readonly WorkspaceFile[]> {
    if (this.#settings !== this.#documents.settings) this.#reading = undefined;
    this.#settings = this.#documents.settings;
    const onDisk = await (this.#reading ??= this.#read());
    const open = this.#documents.all();
    const openKeys = new Set(open.map(({ uri }) => fileKey(uri)));
    const closed = [...onDisk].filter(([key]) => !openKeys.has(key)).map(([, file]) => file);
    return [...open, ...closed];
  }

  /** Adds a listener to files that may have changed. */
  onForget(listener: () => void): void {
    this.#forgotten.push(listener);
  }

  /** Listens to changes of the folders and, by `watch`, of the files; to be called once the client is initialized. */
  follow(connection: Connection, client: ClientCapabilities): void {
    connection.onDidChangeWatchedFiles(() => this.forget());
    if (client.workspace?.workspaceFolders !== true) return;
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      for (const { uri } of removed) this.#roots.delete(uri);
      for (const { uri } of added) this.#roots.add(uri);
      this.forget();
    });
  }

  /** Asks a client that can watch files to do so. */
  async watch(connection: Connection, client: ClientCapabilities): Promise<void> {
    if (!this.#runtime.disk || client.workspace?.didChangeWatchedFiles?.dynamicRegistration !== true) return;
    await connection.client.register(DidChangeWatchedFilesNotification.type, {
      watchers: LANGUAGES.map(({ extension }) => ({ globPattern: `**/*${extension}` })),
    });
  }

  /** The next question lists the disk again; to be called where files may be read in another way, too. */
  forget(): void {
    this.#reading = undefined;
    for (const listener of this.#forgotten) listener();
  }

  async #read(): Promise<ReadonlyMap<string, ReadFile>> {
    const { disk } = this.#runtime;
    const found = new Map<string, ReadFile>();
    if (!disk || this.#roots.size === 0) return found;
    const isOurs = (name: string): boolean => languageOfFile(name) !== undefined;
    const { files, isWhole } = await disk.list([...this.#roots], isOurs, MOST_FILES);
    let bytes = 0;
    const fitting = files.filter(({ size }) => {
      const fits = bytes + size <= MOST_BYTES;
      if (fits) bytes += size;
      return fits;
    });
    for (let at = 0; at < fitting.length; at += READ_TOGETHER) {
      const together = fitting.slice(at, at + READ_TOGETHER);
      const read = await Promise.all(together.map(file => this.#readFile(disk, file)));
      for (const file of read) if (file) found.set(fileKey(file.uri), file);
    }
    const isCut = !isWhole || fitting.length < files.length;
    if (isCut && !this.#isCutTold) this.#log(CUT_NOTICE);
    this.#isCutTold ||= isCut;
    return (this.#known = found);
  }

  /** A file that changed is read again; undefined for one that is gone. */
  async #readFile(disk: Disk, { uri, stamp }: DiskFile): Promise<ReadFile | undefined> {
    const settings = this.#documents.settingsOf(uri);
    const known = this.#known.get(fileKey(uri));
    if (known?.stamp === stamp && known.settings === settings) return known;
    // Each text comes in a turn of its own, so that the editor's messages go between.
    const text = await disk.read(uri);
    const document = text === undefined ? undefined : this.#documents.readText(uri, text);
    return document && { uri, version: undefined, document, stamp, settings };
  }
}
