import { commands, Range, Uri, window, workspace } from 'vscode';
import { isRecord } from '../../../../core/guard.ts';
import { AGENTS_SETTING, SETTING_SCHEME } from '../../services/agents-setting.ts';
import { chooseFolder } from '../../window/choose-folder.ts';
import { showWarning } from '../../window/messages.ts';
import { readUri } from '../../targets/arguments.ts';
import { openOrWarn } from '../../window/open-or-warn.ts';
import type { Command } from '../feature.ts';

/** The content of a new agents file: two demo agents, which work without configuration. */
const TEMPLATE = `{
  // One entry for each agent. \${env:X}, \${secret:X} and \${input:X} refer to values that are not written here.
  "agents": {
    "toolbox": { "protocol": "aicf", "type": "http", "url": "\${demo:toolbox}" },
    "analyst": { "protocol": "aicl", "type": "http", "url": "\${demo:analyst}" }
  }
}
`;

/**
 * Opens the agents file, at the line of a row of the Agents view if there is one. Creates the file if it does
 * not exist.
 */
export const openAgentsFile: Command = async (_, [target]) => {
  const row = isRecord(target) ? target : {};
  const uri = readUri(row['file']) ?? (await findOrMake());
  if (!uri) return;
  if (uri.scheme === SETTING_SCHEME) {
    const revealSetting = { key: `parley.${AGENTS_SETTING}`, edit: true };
    await commands.executeCommand('workbench.action.openSettingsJson', { revealSetting });
    return;
  }
  const entry = isRecord(row['agent']) ? row['agent'] : row;
  const line = typeof entry['line'] === 'number' ? entry['line'] : 0;
  const document = await openOrWarn(uri);
  if (!document) return;
  await window.showTextDocument(document, { selection: new Range(line, 0, line, 0) });
};

async function findOrMake(): Promise<Uri | undefined> {
  const folder = await chooseFolder();
  if (!folder) return showWarning('Agents are listed in a folder. Open a folder first.');
  const uri = Uri.joinPath(folder.uri, '.vscode', 'agents.json');
  const isThere = await workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!isThere) await workspace.fs.writeFile(uri, new TextEncoder().encode(TEMPLATE));
  return uri;
}
