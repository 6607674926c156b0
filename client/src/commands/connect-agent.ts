import type { AgentOffer, AgentService } from '../agent-service.ts';
import { runCommand, showError } from '../messages.ts';
import type { Command } from './command.ts';
import { findAgentTarget } from './agent-target.ts';

/** Connects to an agent and lists what it offers. Answers the offer. */
export const connectAgent: Command = async (services, [row]) => {
  const target = await findAgentTarget(services, row, 'Connect to which agent?');
  return target && ask(target.agents, target.agent.name);
};

/** Asks an agent again for what it offers; without a row all that are connected. */
export const refreshAgent: Command = async (services, [row]) => {
  if (row === undefined && services.agents) {
    const { agents } = services;
    const connected = (await agents.list()).agents.filter(
      ({ name }) => agents.offer(name).state === 'connected',
    );
    return Promise.all(connected.map(({ name }) => ask(agents, name)));
  }
  const target = await findAgentTarget(services, row, 'Refresh which agent?');
  return target && ask(target.agents, target.agent.name);
};

/** Ends the connection to an agent, its process included, and forgets what it offers. */
export const disconnectAgent: Command = async (services, [row]) => {
  const target = await findAgentTarget(services, row, 'Disconnect from which agent?');
  await target?.agents.disconnect(target.agent.name);
};

/** The row says how it stands; why it failed is a sentence. */
async function ask(agents: AgentService, agent: string): Promise<AgentOffer> {
  const offer = await agents.connect(agent);
  const why = new Map([['Show why', () => runCommand('parley.diagnoseAgent', agent)]]);
  if (offer.state === 'failed') showError(offer.problem ?? 'The agent did not answer', why);
  return offer;
}
