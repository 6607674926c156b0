import { window } from 'vscode';
import { showWarning } from '../messages.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../trust.ts';
import type { Command } from './command.ts';

/** Starts the demo agents, or finds those that run, and says where they listen. */
export const startDemoAgents: Command = async ({ agents }) => {
  if (!agents || !maySend()) {
    showWarning(agents ? UNTRUSTED : IN_BROWSER, new Map());
    return undefined;
  }
  const addresses = await agents.startDemo();
  // The answer to a message without buttons is of no use, so nobody waits for it.
  void window.showInformationMessage(`Demo agents run: ${[...addresses.keys()].join(', ')}.`);
  return Object.fromEntries(addresses);
};

/** Stops the demo agents that this window started. */
export const stopDemoAgents: Command = async ({ agents }) => {
  await agents?.stopDemo();
  // The answer to a message without buttons is of no use, so nobody waits for it.
  void window.showInformationMessage('The demo agents have ended.');
};
