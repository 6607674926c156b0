import {
  FileChangeType,
  FilePermission,
  FileSystemError,
  FileType,
  TextDocumentChangeReason,
  Uri,
  workspace,
  type FileChangeEvent,
  type FileStat,
  type FileSystemProvider,
  type TextDocument,
} from 'vscode';
import { utf8Length } from '../../../../core/text/utf8.ts';
import type { TextAnswer } from '../../../../wire/text-requests.ts';
import { Throttle } from '../../base/throttle.ts';
import type { Asker } from '../../language-client/ask.ts';
import { ValueFiles } from '../../window/value-files.ts';
import { TextFile } from './text-file.ts';

/** The URI scheme of files that represent text values. */
export const TEXT_SCHEME = 'parley-text';

const LONGEST_NAME = 60;

/**
 * Text values of messages as decoded files; saving a file writes it back to its message. A change of the message
 * changes the file; if both changed, VS Code shows both and asks. A file exists as long as its document is open.
 */
export class TextFiles extends ValueFiles implements FileSystemProvider {
  readonly #server: Asker;
  readonly #files = new Map<string, TextFile>();
  readonly #throttle = this.own(new Throttle(() => void this.#refreshAll()));
  #ids = 0;

  constructor(server: Asker) {
    super();
    this.#server = server;
    this.own(workspace.registerFileSystemProvider(TEXT_SCHEME, this, { isCaseSensitive: true }));
    this.own(
      workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        if (contentChanges.length === 0) return;
        const isUndo = reason === TextDocumentChangeReason.Undo;
        for (const file of this.#filesOf(document)) {
          file.follow(contentChanges, { isUndo });
          this.#throttle.request();
        }
      }),
    );
    this.own(
      workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === TEXT_SCHEME) this.#files.delete(uri.path);
      }),
    );
  }

  /** The file for a text that the server found in a document. */
  open(document: TextDocument, answer: TextAnswer): Uri {
    const known = [...this.#files].find(([, file]) => file.isAt(document, answer));
    if (known) return Uri.from({ scheme: TEXT_SCHEME, path: known[0] });
    const name = answer.name.replace(/[\\/\p{Cc}]/gu, '∕').slice(0, LONGEST_NAME) || 'text';
    const uri = Uri.from({ scheme: TEXT_SCHEME, path: `/${++this.#ids}/${name}.txt` });
    this.#files.set(uri.path, new TextFile(this.#server, document, answer));
    return uri;
  }

  async stat(uri: Uri): Promise<FileStat> {
    const file = this.#find(uri);
    await file.refresh();
    if (file.text === undefined) throw FileSystemError.FileNotFound(uri);
    return {
      type: FileType.File,
      ctime: 0,
      mtime: file.version,
      size: utf8Length(file.text),
      ...(!file.canEdit && { permissions: FilePermission.Readonly }),
    };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const file = this.#find(uri);
    await file.refresh();
    if (file.text === undefined) throw FileSystemError.FileNotFound(uri);
    return new TextEncoder().encode(file.text);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content).replaceAll('\r\n', '\n');
    const problem = await this.#find(uri).write(text);
    if (problem !== undefined) throw FileSystemError.Unavailable(problem);
  }

  #find({ path }: Uri): TextFile {
    const file = this.#files.get(path);
    if (!file) throw FileSystemError.FileNotFound('This text was closed: open it again in its message');
    return file;
  }

  *#filesOf({ uri }: TextDocument): Generator<TextFile> {
    for (const file of this.#files.values()) if (String(file.original) === String(uri)) yield file;
  }

  async #refreshAll(): Promise<void> {
    const events: FileChangeEvent[] = [];
    for (const [path, file] of this.#files) {
      const before = file.text;
      await file.refresh();
      if (file.text === before) continue;
      const gone = file.text === undefined ? FileChangeType.Deleted : FileChangeType.Changed;
      const type = before === undefined ? FileChangeType.Created : gone;
      events.push({ type, uri: Uri.from({ scheme: TEXT_SCHEME, path }) });
    }
    if (events.length > 0) this.changed.fire(events);
  }
}
