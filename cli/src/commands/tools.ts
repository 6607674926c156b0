import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import { SILENT, type WireListener } from '../../../agents/connection.ts';
import { CapabilityReader } from '../../../agents/capabilities/capability-reader.ts';
import { describeUnlisted } from '../../../agents/capabilities/capability-reader.ts';
import { EXIT } from '../exit.ts';
import { printCapabilities, printCapabilitiesJson, type Capabilities } from '../print/tools.ts';
import type { SendSession } from '../sending/session.ts';
import { withAgent } from './with-agent.ts';
import type { Terminal } from '../terminal.ts';
import { AGENTS_OPTION, FORMAT_OPTION, type Command } from './command.ts';

/**
 * `parley tools`: requests the lists of tools, resources and prompts from an agent. Naming the agent is the consent to
 * start it.
 */
export const tools: Command = {
  name: 'tools',
  usage: 'AGENT',
  summary:
    'Lists the tools, resources and prompts of an agent with their arguments; --format json has the schemas.',
  options: [AGENTS_OPTION, FORMAT_OPTION],
  async run(terminal, line) {
    return withAgent(terminal, line, async (session, agent) => {
      const { capabilities, problem } = await fetchCapabilities(terminal, session, agent);
      terminal.out(
        line.option('format') === 'json'
          ? printCapabilitiesJson(capabilities)
          : printCapabilities(capabilities),
      );
      if (problem === undefined) return EXIT.fine;
      terminal.err(`${agent.name}: ${problem}\n`);
      return EXIT.findings;
    });
  },
};

interface FetchedCapabilities {
  readonly capabilities: Capabilities;
  /** Why the tools are not known; undefined if they are. */
  readonly problem: string | undefined;
}

const NONE: Capabilities = { tools: [], resources: [], prompts: [] };

/** Fetches all capabilities. Does not connect if the agent's protocol cannot list tools. */
async function fetchCapabilities(
  terminal: Terminal,
  session: SendSession,
  agent: AgentConfig,
): Promise<FetchedCapabilities> {
  const protocol = ALL_PROTOCOLS.find(agent.protocol);
  const unlisted = protocol && describeUnlisted(protocol);
  if (unlisted !== undefined) return { capabilities: NONE, problem: unlisted };
  const signal = terminal.catchInterrupts();
  const opened = await session.open(agent);
  const { pooled } = opened;
  const listener: WireListener = {
    ...SILENT,
    note: text => terminal.err(`${agent.name}: note: ${text}\n`),
  };
  const reader = new CapabilityReader(pooled);
  const outgoing = { wireText: '', title: 'Tools' };
  const reply = await opened.send(outgoing, listener, signal, (...args) => reader.read(...args)).reply;
  const { resources, prompts } = reader;
  const capabilities = { tools: pooled.tools.tools ?? [], resources, prompts };
  if (reply.status === 'ok') return { capabilities, problem: reader.problem };
  return { capabilities, problem: reply.message ?? `${agent.name} did not answer` };
}
