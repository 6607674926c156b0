import type { AgentCapabilities, AgentService } from '../../services/agent-service.ts';
import { showFailure } from './show-failure.ts';
import { findAgentTarget } from '../../targets/agent-target.ts';
import type { Command } from '../feature.ts';

/** Connects to an agent, and fetches and returns its capabilities. */
export const connectAgent: Command = async (services, [row]) => {
  const target = await findAgentTarget(services, row, 'Connect to which agent?');
  return target && connectTo(target.agents, target.agent.name);
};

/** Fetches an agent's capabilities again; without a row, those of all connected agents. */
export const refreshAgent: Command = async (services, [row]) => {
  if (row === undefined && services.agents) {
    const { agents } = services;
    const connected = (await agents.list()).agents.filter(
      ({ name }) => agents.capabilities(name).state === 'connected',
    );
    return Promise.all(connected.map(({ name }) => connectTo(agents, name)));
  }
  const target = await findAgentTarget(services, row, 'Refresh which agent?');
  return target && connectTo(target.agents, target.agent.name);
};

/** Closes the connection to an agent, including its process, and discards its capabilities. */
export const disconnectAgent: Command = async (services, [row]) => {
  const target = await findAgentTarget(services, row, 'Disconnect from which agent?');
  await target?.agents.disconnect(target.agent.name);
};

/** Connects to an agent. The row shows the state; a failure is also reported as a message. */
export async function connectTo(agents: AgentService, agent: string): Promise<AgentCapabilities> {
  const capabilities = await agents.connect(agent);
  if (capabilities.state === 'failed') showFailure(agent, capabilities);
  return capabilities;
}
