import { window } from 'vscode';
import type { Command } from './command.ts';

/** Forgets secrets that were typed in. Each is asked for again when an agent needs it. */
export const forgetSecrets: Command = async ({ agents }) => {
  const names = agents?.listSecrets() ?? [];
  if (names.length === 0) {
    // The answer to a message without buttons is of no use, so nobody waits for it.
    void window.showInformationMessage('No secrets are kept.');
    return;
  }
  const chosen = await window.showQuickPick([...names], {
    title: 'Forget which secrets?',
    canPickMany: true,
  });
  for (const name of chosen ?? []) await agents?.forgetSecret(name);
};
