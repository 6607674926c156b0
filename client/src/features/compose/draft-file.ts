import { Uri, window, workspace } from 'vscode';
import type { Draft } from '../../../../wire/composer-messages.ts';
import { printDraft } from './draft-request.ts';

/** Opens a draft as a new, unsaved file. */
export async function openAsFile(draft: Draft): Promise<void> {
  const { language, text } = printDraft(draft);
  await window.showTextDocument(await workspace.openTextDocument({ language, content: text }));
}

/** Saves a draft to a file that the user chooses, and opens it. */
export async function saveAsFile(draft: Draft): Promise<void> {
  const { language, text } = printDraft(draft);
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const uri = await window.showSaveDialog({
    filters: { Requests: [language] },
    ...(folder && { defaultUri: Uri.joinPath(folder, `request.${language}`) }),
  });
  if (!uri) return;
  await workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await window.showTextDocument(uri);
}
