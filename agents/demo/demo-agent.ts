import type { AgentConfig } from '../config/agent-config.ts';
import { DEMO_PROCESS } from './start.ts';

/**
 * The variable, followed by at most a path: `${demo:x}@example.org` and `${demo:x}.example.org` would be
 * other hosts.
 */
const DEMO_URL = /^\$\{demo:[^{}]*\}(?:[/?#][^\\]*)?$/;

const DEMO_ARGS = [`\${demo:${DEMO_PROCESS}}`, 'demo', '--stdio'];

/** True for an agent that can only be one of Parley's demo agents on this computer: calling it needs no consent. */
export function isDemoAgent(agent: AgentConfig<string>): boolean {
  if (agent.type === 'http') return DEMO_URL.test(agent.url);
  const { command, args, env, cwd } = agent;
  return (
    command === 'node' &&
    JSON.stringify(args) === JSON.stringify(DEMO_ARGS) &&
    env.size === 0 &&
    cwd === undefined
  );
}
