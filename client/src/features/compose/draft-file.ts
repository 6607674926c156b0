import { window, workspace } from 'vscode';
import { openJsonRequest } from '../../sending/json-file.ts';
import { askToSave } from '../../window/save-file.ts';
import { printDraft, type TextDraft } from './draft-request.ts';

/** Opens a draft as a new, unsaved file. */
export async function openAsFile(draft: TextDraft): Promise<void> {
  const { agent, protocol, mode, text } = draft;
  if (mode === 'agent-json') {
    await openJsonRequest(agent, protocol, text);
    return;
  }
  const content = printDraft(draft).text;
  await window.showTextDocument(await workspace.openTextDocument({ language: mode, content }));
}

/** Saves a draft to a file that the user chooses, and opens it. */
export async function saveAsFile(draft: TextDraft): Promise<void> {
  const { text, ending } = printDraft(draft);
  const uri = await askToSave(`request${ending}`, { filters: { Requests: [ending.slice(1)] } });
  if (!uri) return;
  await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await window.showTextDocument(uri);
}
