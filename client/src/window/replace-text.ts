import { workspace, WorkspaceEdit, type Range, type Uri } from 'vscode';

/** Replaces a range of a document as one edit that can be undone. False if VS Code refuses the edit. */
export function replaceText(uri: Uri, range: Range, text: string): Thenable<boolean> {
  const edit = new WorkspaceEdit();
  edit.replace(uri, range, text);
  return workspace.applyEdit(edit);
}
