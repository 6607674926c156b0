import { commands, Uri, window, workspace, type SaveDialogOptions } from 'vscode';
import { describeError } from '../base/log.ts';
import { showInformation, showWarning } from './messages.ts';

/** Asks where to save a file, with a name for it in the first folder. */
export function askToSave(file: string, options: SaveDialogOptions): Thenable<Uri | undefined> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return window.showSaveDialog({ ...options, ...(folder && { defaultUri: Uri.joinPath(folder, file) }) });
}

/** Writes a file and offers to open it. Returns undefined if it cannot be written, after a warning. */
export async function saveFile(uri: Uri, bytes: Uint8Array, saved: string): Promise<Uri | undefined> {
  try {
    await workspace.fs.writeFile(uri, bytes);
  } catch (error) {
    return showWarning(`The file cannot be written: ${describeError(error)}`);
  }
  const open = (): unknown => commands.executeCommand('vscode.open', uri);
  showInformation(saved, new Map([['Open file', open]]));
  return uri;
}
