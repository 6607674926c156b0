import { askInDialog, showInformation, showWarning } from '../../window/messages.ts';
import { askText } from '../../window/sinks/quick-input.ts';
import { quote } from '../../../../core/text/quote.ts';
import { findAgentTarget } from '../../targets/agent-target.ts';
import type { Command } from '../feature.ts';
import { checkName } from './agent-steps.ts';

/** Selects an agent in Compose. */
export const messageAgent: Command = async (services, [row]) => {
  const target = await findAgentTarget(services, row, 'Send a message to which agent?');
  if (target) services.compose.choose(target.agent.name, 'shown');
};

/** Renames an agent in the agents file. */
export const renameAgent: Command = async (services, [row]) => {
  const target = await findAgentTarget(services, row, 'Rename which agent?');
  if (!target) return undefined;
  const { agents, agent } = target;
  const taken = new Set((await agents.list()).agents.map(({ name }) => name));
  const name = await askText({
    title: `Rename ${agent.name}`,
    prompt: 'Requests that name it in a line # @agent NAME keep the old name.',
    value: agent.name,
    validateInput: text => (text === agent.name ? undefined : checkName(text, taken)),
  });
  if (name === undefined || name === agent.name) return undefined;
  const problem = await agents.entries.rename(agent.name, name);
  if (problem !== undefined) showWarning(problem);
  return name;
};

/** Removes an agent from the agents file. */
export const removeAgent: Command = async (services, [row]) => {
  const target = await findAgentTarget(services, row, 'Remove which agent?');
  if (!target) return;
  const { agents, agent } = target;
  const detail = 'Its entry is removed from the agents file. Its traces and stored secrets stay.';
  if ((await askInDialog(`Remove the agent ${quote(agent.name)}?`, detail, 'Remove')) !== 'Remove') return;
  const undo = await agents.entries.remove(agent.name);
  if (typeof undo === 'string') return showWarning(undo);
  const restore = async (): Promise<void> => {
    const problem = await undo();
    if (problem !== undefined) showWarning(problem);
  };
  showInformation(`The agent ${quote(agent.name)} was removed.`, new Map([['Undo', restore]]));
};
