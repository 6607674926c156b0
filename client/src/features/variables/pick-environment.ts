import { ConfigurationTarget, Uri, window, workspace } from 'vscode';
import { ENVIRONMENTS_FILE } from '../../../../core/catalog/variables.ts';
import { showWarning } from '../../window/messages.ts';
import { IN_BROWSER } from '../../base/trust.ts';
import { openOrWarn } from '../../window/open-or-warn.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import type { Command } from '../feature.ts';

const NONE = 'No environment';

/** Picks the environment whose variables requests use, and stores it in the setting `parley.environment`. */
export const pickEnvironment: Command = async ({ agents }) => {
  if (!agents) return showWarning(IN_BROWSER);
  const { names, chosen, problems } = await agents.environments.list();
  if (names.length === 0)
    return showWarning(
      problems[0] ?? `There is no environment yet. Add one to ${ENVIRONMENTS_FILE}.`,
      new Map([['Open environments file', openFile]]),
    );
  const items = [
    ...names.map(label => ({ label, name: label, description: label === chosen ? 'in use' : '' })),
    { label: NONE, name: '', description: chosen === '' ? 'in use' : 'only what all environments share' },
  ];
  const picked = await pickItem(items, { title: 'Variables of which environment?' });
  if (!picked) return;
  const target = workspace.workspaceFolders ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await workspace.getConfiguration('parley').update('environment', picked.name || undefined, target);
};

const EXAMPLE = `{
  // Variables of all environments, then those of each.
  "$shared": {},
  "dev": {
    "host": "localhost"
  }
}
`;

/** Opens the environments file of the first folder, and creates it with an example if it does not exist. */
async function openFile(): Promise<void> {
  const folder = workspace.workspaceFolders?.[0];
  if (!folder) return showWarning('Environments belong to a folder. Open a folder first.');
  const file = Uri.joinPath(folder.uri, ENVIRONMENTS_FILE);
  const isThere = await workspace.fs.stat(file).then(
    () => true,
    () => false,
  );
  if (!isThere) await workspace.fs.writeFile(file, new TextEncoder().encode(EXAMPLE));
  const document = await openOrWarn(file);
  if (document) await window.showTextDocument(document);
}
