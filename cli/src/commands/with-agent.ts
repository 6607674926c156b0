import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import { findAgent, loadAgents, printFaults } from '../sending/agents-source.ts';
import { openSession, type SendSession } from '../sending/session.ts';
import type { Terminal } from '../terminal.ts';
import { onlyName, type CommandLine } from './command.ts';

/** Runs a command for the agent that it names, in a session that ends with it. */
export async function withAgent<Result>(
  terminal: Terminal,
  line: CommandLine,
  run: (session: SendSession, agent: AgentConfig) => Promise<Result>,
): Promise<Result> {
  const agents = await loadAgents(terminal, line.option('agents'));
  const agent = findAgent(agents, onlyName(line));
  printFaults(terminal, agents, [agent]);
  const session = await openSession(terminal, agents, undefined, {});
  try {
    return await run(session, agent);
  } finally {
    await session.close();
  }
}
