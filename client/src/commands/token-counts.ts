import { ConfigurationTarget, workspace } from 'vscode';
import type { SettingKey } from '../../../core/catalog/settings.ts';
import type { Command } from './command.ts';

const TOKEN_LENS: SettingKey = 'codeLens.tokens';

/** Shows above each message how many tokens it costs. */
export const showTokenCounts: Command = () => setTokenLens('on');

/** Hides what `showTokenCounts` shows. */
export const hideTokenCounts: Command = () => setTokenLens('off');

/** Writes the setting where it is set already, else for the user. */
async function setTokenLens(state: 'on' | 'off'): Promise<void> {
  const section = workspace.getConfiguration('parley');
  const isOfWorkspace = section.inspect(TOKEN_LENS)?.workspaceValue !== undefined;
  const target = isOfWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await section.update(TOKEN_LENS, state === 'on', target);
}
