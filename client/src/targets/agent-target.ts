import { isRecord } from '../../../core/guard.ts';
import type { AgentInfo, AgentService, ToolInfo } from '../services/agent-service.ts';
import { toAgentItem } from '../services/choose-agent.ts';
import { showWarning } from '../window/messages.ts';
import { IN_BROWSER, maySend, UNTRUSTED } from '../base/trust.ts';
import { readAgent, readTool } from './arguments.ts';
import { pickItem, pickName } from '../window/sinks/quick-input.ts';
import { OPEN_FILE } from '../sending/run-call.ts';
import type { Calling } from '../sending/calling.ts';

/** An agent and the service to reach it. */
export interface AgentTarget {
  readonly agents: AgentService;
  readonly agent: AgentInfo;
}

/**
 * The agent of a row or a name, else one that the user picks from those that match `isWanted`. Returns
 * undefined if agents cannot be reached or none is picked.
 */
export async function findAgentTarget(
  { agents }: Calling,
  argument: unknown,
  title: string,
  isWanted: (agent: AgentInfo) => boolean = () => true,
): Promise<AgentTarget | undefined> {
  if (!agents || !maySend()) return showWarning(agents ? UNTRUSTED : IN_BROWSER);
  const { agents: infos } = await agents.list();
  const name = readAgent(argument);
  const agent =
    name === undefined ? await pick(infos.filter(isWanted), title) : infos.find(info => info.name === name);
  return agent && { agents, agent };
}

/** The name of an agent in an argument, else one that the user picks; undefined after a warning if there is none. */
export async function findAgentName(
  agents: AgentService,
  argument: unknown,
  title: string,
): Promise<string | undefined> {
  const name = readAgent(argument);
  if (name !== undefined) return name;
  const names = (await agents.list()).agents.map(agent => agent.name);
  if (names.length > 0) return pickName(names, { title });
  return showWarning('There is no agent yet. Add one to .vscode/agents.json.', OPEN_FILE);
}

/** A known tool of an agent, from a row or from the names `{agent, tool}`; undefined for other arguments. */
export async function findToolTarget(
  services: Calling,
  argument: unknown,
): Promise<(AgentTarget & { readonly tool: ToolInfo }) | undefined> {
  const name = isRecord(argument) ? readTool(argument['tool']) : undefined;
  const target = name === undefined ? undefined : await findAgentTarget(services, argument, '');
  const tool = target?.agents.capabilities(target.agent.name).tools?.find(each => each.name === name);
  return target && tool && { ...target, tool };
}

async function pick(infos: readonly AgentInfo[], title: string): Promise<AgentInfo | undefined> {
  if (infos.length === 0) return showWarning('There is no such agent yet. Add one in the Agents view.');
  return (await pickItem(infos.map(toAgentItem), { title, matchOnDescription: true }))?.agent;
}
