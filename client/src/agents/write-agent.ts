import { Position, Range, Uri, workspace } from 'vscode';
import { addAgent, type FileEdit, type NewAgent } from '../../../agents/config/edit-agents-file.ts';
import { AGENTS_FILE } from '../../../agents/config/agents-file.ts';
import { chooseFolder } from '../window/choose-folder.ts';
import { describeError } from '../base/log.ts';
import { readConfig, writeConfig } from './read-config.ts';
import { findDocument } from '../window/find-document.ts';
import { replaceText } from '../window/replace-text.ts';

/** The agents file with a new agent, or an error sentence. */
export type WrittenAgent =
  | { readonly ok: true; readonly file: Uri }
  | { readonly ok: false; readonly message: string };

/** Adds an agent to the agents file of a folder. */
export async function writeAgent(agent: NewAgent): Promise<WrittenAgent> {
  const folder = await chooseFolder();
  if (!folder) return { ok: false, message: 'Agents are listed in a folder. Open a folder first.' };
  const file = Uri.joinPath(folder.uri, AGENTS_FILE);
  const message = await editAgentsFile(file, text => addAgent(text, agent));
  return message === undefined ? { ok: true, file } : { ok: false, message };
}

/** Edits an agents file that has no unsaved edits. Returns an error sentence if that fails. */
export async function editAgentsFile(
  file: Uri,
  edit: (text: string) => FileEdit,
): Promise<string | undefined> {
  const open = findDocument(file);
  if (open?.isDirty) return 'The agents file has edits that are not saved. Save it, then try again.';
  try {
    const reading = await readConfig(file);
    // An unreadable file is not overwritten.
    if (!reading.ok) return `The agents file ${reading.message}.`;
    const edited = edit(reading.text ?? '');
    if (!edited.ok) return edited.message;
    if (open) {
      // An edit of an open document can be undone there.
      const end = open.lineAt(open.lineCount - 1).range.end;
      await replaceText(file, new Range(new Position(0, 0), end), edited.text);
    }
    await writeConfig(() =>
      open ? open.save() : workspace.fs.writeFile(file, new TextEncoder().encode(edited.text)),
    );
    return undefined;
  } catch (error) {
    return `The agents file could not be written: ${describeError(error)}.`;
  }
}
