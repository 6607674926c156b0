import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import { withSend, type WireListener } from '../../../agents/connection.ts';
import {
  fetchTools,
  type FetchedTools,
  type DescribedTool,
  describeUnlisted,
} from '../../../agents/capabilities/fetch-tools.ts';
import { EXIT, UsageError } from '../exit.ts';
import { printTools, printToolsJson } from '../print/tools.ts';
import { findAgent, loadAgents, printFaults } from '../sending/agents-source.ts';
import { openSession, type SendSession } from '../sending/session.ts';
import type { Terminal } from '../terminal.ts';
import { FORMAT_OPTION, type Command, type CommandLine } from './command.ts';

/** `parley tools`: requests the list of tools from an agent. Naming the agent is the consent to start it. */
export const tools: Command = {
  name: 'tools',
  usage: 'AGENT',
  summary: 'Lists the tools of an agent with their arguments; --format json has their schemas.',
  options: [
    {
      name: 'agents',
      value: 'FILE',
      summary: 'The agents file, instead of .vscode/agents.json here or above.',
    },
    FORMAT_OPTION,
  ],
  async run(terminal, line) {
    const agents = await loadAgents(terminal, line.option('agents'));
    const agent = findAgent(agents, onlyAgentName(line));
    printFaults(terminal, agents, [agent]);
    const session = await openSession(terminal, agents, undefined, {});
    try {
      const fetched = await askForTools(terminal, session, agent);
      const listed: readonly DescribedTool[] = fetched.ok ? fetched.tools : [];
      terminal.out(line.option('format') === 'json' ? printToolsJson(listed) : printTools(listed));
      if (fetched.ok) return EXIT.fine;
      terminal.err(`${agent.name}: ${fetched.reason}\n`);
      return EXIT.findings;
    } finally {
      await session.close();
    }
  },
};

function onlyAgentName({ paths }: CommandLine): string {
  const [name, another] = paths;
  if (name === undefined || another !== undefined)
    throw new UsageError(`'parley tools' takes the name of one agent; it got ${paths.length}`);
  return name;
}

/** Fetches the tools. Does not connect if the agent's protocol cannot list tools. */
async function askForTools(
  terminal: Terminal,
  session: SendSession,
  agent: AgentConfig,
): Promise<FetchedTools> {
  const protocol = ALL_PROTOCOLS.find(agent.protocol);
  const unlisted = protocol && describeUnlisted(protocol);
  if (unlisted !== undefined) return { ok: false, reason: unlisted };
  const signal = terminal.catchInterrupts();
  const opened = await session.open(agent);
  const listener: WireListener = {
    head: () => undefined,
    bytes: () => undefined,
    note: text => terminal.err(`${agent.name}: note: ${text}\n`),
    progress: () => undefined,
  };
  const connection = withSend(opened.pooled.connection, (...request) => opened.send(...request).reply);
  return fetchTools(connection, {}, listener, signal);
}
