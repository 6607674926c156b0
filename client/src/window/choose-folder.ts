import { window, workspace, type WorkspaceFolder } from 'vscode';

/** The workspace folder for a new file; undefined if there is none or the user cancels. */
export async function chooseFolder(): Promise<WorkspaceFolder | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  return folders.length < 2 ? folders[0] : window.showWorkspaceFolderPick();
}
