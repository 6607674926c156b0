import { FileType, workspace, type TextDocument, type Uri } from 'vscode';
import { countOf, showCount } from '../../../core/text/count.ts';

/** Reads the bytes of a local file from one offset to another. */
export type ReadRange = (uri: Uri, start: number, end: number) => Promise<Uint8Array>;

/** The reason why an existing file is not read. The message continues a sentence that begins with its name. */
export class FileRefusal extends Error {}

/**
 * Reads a regular file, following links. Rejects with a `FileRefusal` for anything else, because reading a
 * device or a pipe may never end, and for more than `most` bytes.
 */
export async function readFile(uri: Uri, most: number): Promise<Uint8Array> {
  await checkFile(uri, most);
  return workspace.fs.readFile(uri);
}

/**
 * Opens a file that a workspace or trace names as a document. Rejects with a `FileRefusal` if it is not a
 * regular file.
 */
export async function openFile(uri: Uri): Promise<TextDocument> {
  await checkFile(uri, Infinity).catch((error: unknown) => {
    if (error instanceof FileRefusal) throw error;
    // Other errors are ignored, because VS Code can open documents that are not files, such as those of a provider.
  });
  return workspace.openTextDocument(uri);
}

async function checkFile(uri: Uri, most: number): Promise<void> {
  const { type, size } = await workspace.fs.stat(uri);
  if ((type & FileType.Directory) !== 0) throw new FileRefusal('is a folder, not a regular file');
  if ((type & FileType.File) === 0) throw new FileRefusal('is a pipe or a device, not a regular file');
  if (size > most)
    throw new FileRefusal(`has ${countOf(size, 'byte')}, and at most ${showCount(most)} are read`);
}
