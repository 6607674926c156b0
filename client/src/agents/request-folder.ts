import { dirname } from 'node:path';
import { Uri, workspace } from 'vscode';
import type { RequestFolder } from '../../../agents/regular-file.ts';

/** The folder of a request, and that of its workspace; a text in no file starts at the first workspace folder. */
export function folderOf(address: string): RequestFolder {
  const uri = Uri.parse(address);
  const isFile = uri.scheme === 'file';
  const [first] = workspace.workspaceFolders ?? [];
  const own = isFile ? workspace.getWorkspaceFolder(uri) : first;
  const folder = isFile ? dirname(uri.fsPath) : (own?.uri.fsPath ?? '');
  return { folder, workspace: own?.uri.scheme === 'file' ? own.uri.fsPath : undefined };
}
