import { window } from 'vscode';
import { showWarning } from '../messages.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../trust.ts';
import type { Command } from './command.ts';

/** Starts the demo agents, or finds those that run, and says where they listen. */
export const startDemoAgents: Command = async ({ agents, log }) => {
  if (!agents || !maySend()) {
    showWarning(agents ? UNTRUSTED : IN_BROWSER, new Map());
    return undefined;
  }
  const addresses = await agents.startDemo();
  const lines = [...addresses].map(([name, url]) => `${name}: ${url}`);
  log.info(`Demo agents run. ${lines.join(', ')}`);
  // The answer to a message without buttons is of no use, so nobody waits for it.
  void window.showInformationMessage(`Demo agents run: ${[...addresses.keys()].join(' and ')}.`);
  return Object.fromEntries(addresses);
};

/** Stops the demo agents that this window started. */
export const stopDemoAgents: Command = async ({ agents, log }) => {
  await agents?.stopDemo();
  log.info('Demo agents stopped.');
};
