import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import { showCommandLine } from '../../../agents/stdio/command-line.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import { EXIT } from '../exit.ts';
import { printJson } from '../print/json.ts';
import { loadAgents } from '../sending/agents-source.ts';
import { AGENTS_OPTION, expectNoNames, FORMAT_OPTION, type Command } from './command.ts';

/**
 * `parley agents`: lists the configured agents. Variables are not resolved, and credentials in addresses are
 * redacted.
 */
export const agents: Command = {
  name: 'agents',
  usage: '',
  summary: 'Lists the configured agents.',
  options: [AGENTS_OPTION, FORMAT_OPTION],
  async run(terminal, line) {
    expectNoNames(line);
    const { file, faults } = await loadAgents(terminal, line.option('agents'));
    const rows = [...file.agents.values()].map(toRow);
    if (line.option('format') === 'json') terminal.out(printJson(rows));
    else terminal.out(rows.map(row => `${Object.values(row).join('\t')}\n`).join(''));
    for (const fault of faults) terminal.err(`${fault}\n`);
    return faults.length > 0 ? EXIT.findings : EXIT.fine;
  },
};

/** An agent as a row, with its address or the command line of its process. */
function toRow(agent: AgentConfig): Readonly<Record<string, string>> {
  const { name, protocol, type } = agent;
  return agent.type === 'http'
    ? { name, protocol, type, url: redactUrl(agent.url) }
    : { name, protocol, type, command: showCommandLine(agent.command, agent.args) };
}
