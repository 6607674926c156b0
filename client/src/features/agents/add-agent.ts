import { askForAgent } from './ask-agent.ts';
import { showWarning } from '../../window/messages.ts';
import { IN_BROWSER, maySend } from '../../base/trust.ts';
import { connectAgent } from './connect-agent.ts';
import type { Command } from '../feature.ts';

/** Asks for a new agent in steps, adds it to the agents file and connects to it. Returns its name. */
export const addAgent: Command = async (services, _args) => {
  const { agents } = services;
  if (!agents) {
    showWarning(IN_BROWSER, new Map());
    return undefined;
  }
  const taken = new Set((await agents.list()).agents.map(({ name }) => name));
  const draft = await askForAgent(taken);
  if (!draft) return undefined;
  const problem = await agents.add(draft);
  if (problem !== undefined) {
    showWarning(problem, new Map());
    return undefined;
  }
  // An untrusted workspace may list agents, but not connect to them.
  if (maySend()) await connectAgent(services, [draft.name]);
  return draft.name;
};
