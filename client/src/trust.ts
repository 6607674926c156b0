import { workspace } from 'vscode';

/** What a user reads where something would be started or sent from a workspace that is not trusted. */
export const UNTRUSTED =
  'This workspace is not trusted, so nothing is started or sent from it. Trust the workspace first.';

/** True where agents may be started and requests sent. Asked before each of them, whatever the menus say. */
export function maySend(): boolean {
  return workspace.isTrusted;
}
