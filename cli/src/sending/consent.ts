import type { AgentConfig } from '../../../agents/config/agent-config.ts';
import { isDemoAgent } from '../../../agents/demo/start.ts';
import { showCommandLine } from '../../../agents/stdio/command-line.ts';
import { quote, showOnOneLine } from '../../../core/text/quote.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import type { CommandLine } from '../commands/command.ts';
import { UsageError } from '../exit.ts';
import type { AgentsSource } from './agents-source.ts';

/** The data that decides which agents may be started and sent to. */
export interface Consent {
  readonly line: CommandLine;
  readonly agents: AgentsSource;
  /** The agents of `--agent`. If empty, `--agents` allows all agents of its file. */
  readonly named: readonly string[];
}

/**
 * Throws a UsageError that lists the agents without the user's consent, with the commands that give it. Call
 * this before anything is started or sent. Demo agents need no consent.
 */
export function checkConsent({ line, agents, named }: Consent, used: readonly AgentConfig<string>[]): void {
  const isAllowed = ({ name }: AgentConfig<string>): boolean =>
    named.length > 0 ? named.includes(name) : agents.isNamed;
  const refused = uniqueByName(used).filter(agent => !isAllowed(agent) && !isDemoAgent(agent));
  if (refused.length === 0) return;
  const options = uniqueByName(used).map(({ name }) => `--agent=${name}`);
  const commands = [
    ...(line.command === 'send' ? [printCommand(line, options)] : []),
    ...(named.length === 0 ? [printCommand(line, [`--agents=${agents.name}`])] : []),
  ];
  throw new UsageError(
    [
      `Nothing was started or sent: you have not allowed these agents of ${quoteWhole(agents.name)}:`,
      ...refused.map(agent => `  ${quoteWhole(agent.name)}  ${describePlace(agent)}`),
      'If you know them, allow them:',
      ...commands,
    ].join('\n'),
  );
}

/** Throws a UsageError for environment variables that requests use but `--allow-env` does not name. */
export function checkEnvironmentConsent(line: CommandLine, used: Iterable<string>): void {
  const allowed = line.options('allow-env');
  const refused = [...new Set(used)].filter(name => !allowed.includes(name)).sort();
  if (refused.length === 0) return;
  const names = refused.map(quoteWhole).join(', ');
  throw new UsageError(
    [
      `Nothing was sent: you have not allowed these variables of your environment, which the requests send: ${names}`,
      'If the agents may have their values, allow them:',
      printCommand(
        line,
        refused.map(name => `--allow-env=${name}`),
      ),
    ].join('\n'),
  );
}

function uniqueByName(agents: readonly AgentConfig<string>[]): readonly AgentConfig<string>[] {
  return [...new Map(agents.map(agent => [agent.name, agent])).values()];
}

function describePlace(agent: AgentConfig<string>): string {
  const place = agent.type === 'http' ? redactUrl(agent.url) : showCommandLine(agent.command, agent.args);
  return showOnOneLine(place);
}

function quoteWhole(text: string): string {
  return quote(text, text.length);
}

/**
 * The typed command with additional options, for a POSIX shell. Every word is quoted, because names come from
 * files that others wrote.
 */
function printCommand({ command, words }: CommandLine, options: readonly string[]): string {
  const quoted = [...options, ...words].map(quoteForShell);
  return showOnOneLine(`  parley ${command} ${quoted.join(' ')}`);
}

function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
