import type { Command } from './command.ts';
import { pickItems } from '../sinks/quick-input.ts';
import { showInformation } from '../messages.ts';

/** Deletes stored secrets that the user picks. Each is asked for again when an agent needs it. */
export const forgetSecrets: Command = async ({ agents }) => {
  const names = agents?.listSecrets() ?? [];
  if (names.length === 0) {
    showInformation('No secrets are stored.', new Map());
    return;
  }
  const chosen = await pickItems(
    names.map(label => ({ label })),
    { title: 'Forget which secrets?' },
  );
  for (const { label } of chosen ?? []) await agents?.forgetSecret(label);
};
