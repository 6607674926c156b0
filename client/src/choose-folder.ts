import { window, workspace, type WorkspaceFolder } from 'vscode';

/** The folder of the workspace that a file goes into; undefined where there is none, or the user leaves the question. */
export async function chooseFolder(): Promise<WorkspaceFolder | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  return folders.length < 2 ? folders[0] : window.showWorkspaceFolderPick();
}
