import { workspace } from 'vscode';

/** What a user reads where something would be started or sent from a workspace that is not trusted. */
export const UNTRUSTED =
  'This workspace is not trusted, so nothing is started or sent from it. Trust the workspace first.';

/** What a user reads where something would be started or sent and there is no Node to do it. */
export const IN_BROWSER =
  'A browser starts no agents and reaches none. Open the folder in VS Code on a computer.';

/** True where agents may be started and requests sent. Asked before each of them, whatever the menus say. */
export function maySend(): boolean {
  return workspace.isTrusted;
}
