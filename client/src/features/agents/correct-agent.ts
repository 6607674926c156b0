import { isRecord } from '../../../../core/guard.ts';
import type { AgentMistake } from '../../services/agent-draft.ts';
import { findAgentTarget } from '../../targets/agent-target.ts';
import { showWarning } from '../../window/messages.ts';
import type { Command } from '../feature.ts';
import { connectTo } from './connect-agent.ts';

/** Corrects the protocol of an agent in the agents file, and connects again. */
export const correctAgent: Command = async (services, [row, given]) => {
  const target = await findAgentTarget(services, row, 'Correct which agent?');
  if (!target) return undefined;
  const { agents, agent } = target;
  const mistake = readMistake(given) ?? agents.capabilities(agent.name).mistake;
  if (!mistake) return undefined;
  const problem = await agents.entries.correct(agent.name, mistake);
  if (problem !== undefined) showWarning(problem);
  return problem === undefined ? connectTo(agents, agent.name) : undefined;
};

function readMistake(value: unknown): AgentMistake | undefined {
  if (!isRecord(value)) return undefined;
  const { protocol, label, address } = value;
  if (typeof protocol !== 'string' || typeof label !== 'string') return undefined;
  return { protocol, label, ...(typeof address === 'string' ? { address } : {}) };
}
