import {
  commands,
  FileSystemError,
  FileType,
  Uri,
  ViewColumn,
  workspace,
  type FileStat,
  type FileSystemProvider,
} from 'vscode';
import type { MediaKind } from '../../../core/catalog/media.ts';
import { fileNameOf, type MediumContent, readMediaBytes } from '../../../language/media/media.ts';
import { askToOpen } from '../window/ask-to-open.ts';
import { showWarning } from '../window/messages.ts';
import { onDidCloseLastTab } from '../window/tabs.ts';
import { refuse, ValueFiles } from '../window/value-files.ts';

const SCHEME = 'parley-media';

/** VS Code's viewers, which themselves report content that they cannot show. */
const VIEWERS: Readonly<Record<MediaKind, string>> = {
  image: 'imagePreview.previewEditor',
  audio: 'vscode.audioPreview',
  video: 'vscode.videoPreview',
  file: 'default',
};

/**
 * Serves the pictures, sounds and videos of messages as read-only files for VS Code's viewers. A file exists
 * while a tab shows it. Nothing is downloaded: for a medium outside of the message, its address is shown.
 */
export class MediaFiles extends ValueFiles implements FileSystemProvider {
  readonly #files = new Map<string, Uint8Array>();
  #count = 0;

  constructor() {
    super();
    this.own(workspace.registerFileSystemProvider(SCHEME, this, { isReadonly: true }));
    this.own(
      onDidCloseLastTab(({ scheme, path }) => {
        if (scheme === SCHEME) this.#files.delete(path);
      }),
    );
  }

  /** Shows a medium beside, or its address. */
  async show(medium: MediumContent): Promise<void> {
    const { kind, content } = medium;
    if ('address' in content)
      return askToOpen(content.address, 'It is not in the message, which has its address:');
    const reading = readMediaBytes(content.base64);
    if (reading.kind === 'fault') return showWarning(`${reading.problem}.`);
    const uri = Uri.from({ scheme: SCHEME, path: `/${++this.#count}/${fileNameOf(medium)}` });
    this.#files.set(uri.path, reading.bytes);
    await commands.executeCommand('vscode.openWith', uri, VIEWERS[kind], {
      viewColumn: ViewColumn.Beside,
      preview: true,
      preserveFocus: true,
    });
  }

  stat(uri: Uri): FileStat {
    return { type: FileType.File, ctime: 0, mtime: 0, size: this.readFile(uri).length };
  }

  readFile(uri: Uri): Uint8Array {
    // The viewers add a query, so only the path is used.
    const bytes = this.#files.get(uri.path);
    if (!bytes) throw FileSystemError.FileNotFound(uri);
    return bytes;
  }

  writeFile = refuse;
}
