import { ConfigurationTarget, workspace } from 'vscode';
import type { SettingKey } from '../../../../core/catalog/settings.ts';
import type { Command } from '../feature.ts';
import type { CostParts } from './parts.ts';

const TOKEN_LENS: SettingKey = 'codeLens.tokens';

/** Shows the token count above each message. */
export const showTokenCounts: Command<CostParts> = () => setTokenLens('on');

/** Hides the token counts again. */
export const hideTokenCounts: Command<CostParts> = () => setTokenLens('off');

/** Writes the setting at workspace level if it is set there, else at user level. */
async function setTokenLens(state: 'on' | 'off'): Promise<void> {
  const section = workspace.getConfiguration('parley');
  const isOfWorkspace = section.inspect(TOKEN_LENS)?.workspaceValue !== undefined;
  const target = isOfWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await section.update(TOKEN_LENS, state === 'on', target);
}
