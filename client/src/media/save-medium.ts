import { workspace, type Uri } from 'vscode';
import { fileNameOf, type MediumContent, readMediaBytes } from '../../../language/media/media.ts';
import { showWarning } from '../window/messages.ts';
import { askToSave, saveFile } from '../window/save-file.ts';

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
  const uri = target ?? (await askToSave(fileNameOf(medium), { title: 'Save file of a message' }));
  return uri && saveFile(uri, reading.bytes, `Saved ${workspace.asRelativePath(uri)}.`);
}
