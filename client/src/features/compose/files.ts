import { window, workspace, type Uri } from 'vscode';
import { MEDIA_ENDINGS } from '../../../../core/catalog/media.ts';
import { decodeBase64, encodeBase64 } from '../../../../core/text/base64.ts';
import { showBytes } from '../../../../tensor/size-words.ts';
import { quote } from '../../../../core/text/quote.ts';
import { describeError } from '../../base/log.ts';
import { FileRefusal, readFile } from '../../base/read-file.ts';
import { MOST_FILE_BYTES, type AttachedFile, type FileContent } from '../../../../wire/composer-messages.ts';

/** The media type of a file of an unknown kind (RFC 2046, section 4.5.1). */
const PLAIN_BYTES = 'application/octet-stream';

interface HeldFile extends AttachedFile {
  readonly base64: string;
}

/** The files that the next message carries. */
export class Files {
  #files: readonly HeldFile[] = [];
  #count = 0;

  get list(): readonly AttachedFile[] {
    return this.#files.map(({ base64: _, ...file }) => file);
  }

  /** Adds a file; returns why it was not added. */
  add({ name, mimeType, base64 }: FileContent): string | undefined {
    const bytes = decodeBase64(base64)?.length;
    if (bytes === undefined) return `${quote(name)} could not be read.`;
    const total = this.#files.reduce((sum, { size }) => sum + size, bytes);
    if (total > MOST_FILE_BYTES)
      return `${quote(name)} was not attached: with it, the files have ${showBytes(total)}, and a message takes ${showBytes(MOST_FILE_BYTES)}.`;
    const file = { id: ++this.#count, name, mimeType: mimeType || mediaTypeOf(name), size: bytes, base64 };
    this.#files = [...this.#files, file];
    return undefined;
  }

  remove(id: number): void {
    this.#files = this.#files.filter(file => file.id !== id);
  }

  /** Returns all files, and holds none any more. */
  take(): { readonly list: readonly AttachedFile[]; readonly contents: readonly FileContent[] } {
    const taken = { list: this.list, contents: this.#files };
    this.#files = [];
    return taken;
  }
}

/** Lets the user choose files; returns what is wrong with those that were not added. */
export async function pickFiles(files: Files): Promise<string> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const chosen = await window.showOpenDialog({
    canSelectMany: true,
    openLabel: 'Attach',
    title: 'Attach files to the message',
    ...(folder && { defaultUri: folder }),
  });
  const problems: string[] = [];
  for (const uri of chosen ?? []) problems.push((await addFile(files, uri)) ?? '');
  return problems.filter(Boolean).join(' ');
}

async function addFile(files: Files, uri: Uri): Promise<string | undefined> {
  const name = uri.path.split('/').at(-1) ?? '';
  try {
    const bytes = await readFile(uri, MOST_FILE_BYTES);
    return files.add({ name, mimeType: '', base64: encodeBase64(bytes) });
  } catch (error) {
    const why = error instanceof FileRefusal ? `it ${error.message}` : describeError(error);
    return `${quote(name)} was not attached: ${why.replace(/\.$/, '')}.`;
  }
}

function mediaTypeOf(name: string): string {
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase();
  const known = ending === 'jpeg' ? 'jpg' : ending;
  return [...MEDIA_ENDINGS].find(([, own]) => own === known)?.[0] ?? PLAIN_BYTES;
}
