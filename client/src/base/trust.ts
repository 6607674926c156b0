import { workspace } from 'vscode';

/** The message if something would be started or sent in an untrusted workspace. */
export const UNTRUSTED =
  'This workspace is not trusted, so nothing is started or sent from it. Trust the workspace first.';

/** The message if something would be started or sent in a browser. */
export const IN_BROWSER =
  'VS Code in a browser cannot start or reach agents. Open the folder in VS Code on a computer.';

/** True if agents may be started and requests sent. Checked before each of these actions, independent of the menus. */
export function maySend(): boolean {
  return workspace.isTrusted;
}
