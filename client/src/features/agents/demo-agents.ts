import { showInformation, showWarning } from '../../window/messages.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../../base/trust.ts';
import type { Command } from '../feature.ts';

/** Starts the demo agents, or finds running ones, and shows their names. Returns the addresses by name. */
export const startDemoAgents: Command = async ({ agents }) => {
  if (!agents || !maySend()) return showWarning(agents ? UNTRUSTED : IN_BROWSER);
  const addresses = await agents.startDemo();
  showInformation(`Demo agents run: ${[...addresses.keys()].join(', ')}.`);
  return Object.fromEntries(addresses);
};

/** Stops the demo agents that this window started. */
export const stopDemoAgents: Command = async ({ agents }) => {
  await agents?.stopDemo();
  showInformation('The demo agents have ended.');
};
