import { workspace, type TextDocument, type Uri } from 'vscode';
import { showWarning } from './messages.ts';
import { FileRefusal, openFile } from '../base/read-file.ts';

/** Opens a file as a document. Returns undefined if it is not a regular file, after a warning. */
export async function openOrWarn(uri: Uri): Promise<TextDocument | undefined> {
  try {
    return await openFile(uri);
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return showWarning(`${workspace.asRelativePath(uri)} ${error.message}.`);
  }
}
