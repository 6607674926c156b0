import { commands, Uri, window, workspace } from 'vscode';
import { fileNameOf, type MediumContent, readMediaBytes } from '../../../language/media/media.ts';
import { describeError } from '../base/log.ts';
import { showInformation, showWarning } from '../window/messages.ts';

/**
 * Saves the bytes of a medium to a file, given or chosen by the user, and returns the file. Returns undefined
 * if it was not saved, after a warning unless the user cancelled.
 */
export async function saveMedium(medium: MediumContent, target?: Uri): Promise<Uri | undefined> {
  const { content } = medium;
  if (!('base64' in content))
    return showWarning('Its bytes are not in the message: open its address instead.');
  const reading = readMediaBytes(content.base64);
  if (reading.kind === 'fault') return showWarning(`${reading.problem}.`);
  const uri = target ?? (await askForTarget(fileNameOf(medium)));
  if (!uri) return undefined;
  try {
    await workspace.fs.writeFile(uri, reading.bytes);
  } catch (error) {
    return showWarning(`The file cannot be written: ${describeError(error)}`);
  }
  const open = (): unknown => commands.executeCommand('vscode.open', uri);
  showInformation(`Saved ${workspace.asRelativePath(uri)}.`, new Map([['Open file', open]]));
  return uri;
}

function askForTarget(file: string): Thenable<Uri | undefined> {
  const folder = workspace.workspaceFolders?.[0]?.uri;
  return window.showSaveDialog({
    ...(folder && { defaultUri: Uri.joinPath(folder, file) }),
    title: 'Save file of a message',
  });
}
