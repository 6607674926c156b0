import { ThemeIcon } from 'vscode';
import { showInformation } from '../../window/messages.ts';
import { pickItems } from '../../window/sinks/quick-input.ts';
import type { Command } from '../feature.ts';

/** Lists stored secrets and sign-ins, and deletes those that the user picks. Each is asked for again when an agent needs it. */
export const manageCredentials: Command = async ({ agents }) => {
  if (!agents) return;
  const rows = [
    ...agents.listSecrets().map(name => ({
      label: name,
      description: 'secret, stored for the agents that you agreed to',
      iconPath: new ThemeIcon('key'),
      forget: (): unknown => agents.forgetSecret(name),
    })),
    ...(await agents.listSignIns()).map(name => ({
      label: name,
      description: 'agent, signed in',
      iconPath: new ThemeIcon('account'),
      forget: async (): Promise<void> => showInformation(await agents.signOut(name)),
    })),
  ];
  if (rows.length === 0) return showInformation('No secret and no sign-in is stored.');
  const chosen = await pickItems(rows, {
    title: 'Stored credentials',
    placeHolder: 'Select the ones to delete',
  });
  for (const { forget } of chosen ?? []) await forget();
};
