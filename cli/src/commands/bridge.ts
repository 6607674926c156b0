import { once } from 'node:events';
import { openBridge, serveOverStdio, type BridgeOptions } from '../../../agents/bridge/bridge.ts';
import { LiveSender } from '../../../agents/proxy/live/live-sender.ts';
import { listSecrets } from '../../../agents/config/variables.ts';
import { showCommandLine } from '../../../agents/stdio/command-line.ts';
import { PROTOCOLS } from '../../../core/catalog/protocols.ts';
import { redactUrl } from '../../../core/secrets/redact.ts';
import { showOnOneLine } from '../../../core/text/quote.ts';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { SERVERS } from '../../../protocols/servers.ts';
import type { OpenedAgent } from '../../../agents/open-agent.ts';
import { EXIT, UsageError, type ExitCode } from '../exit.ts';
import { findAgent, loadAgents, printFaults } from '../sending/agents-source.ts';
import { openSession } from '../sending/session.ts';
import type { Terminal } from '../terminal.ts';
import { closing, codeOf, PRODUCER } from '../traces/trace-out.ts';
import { AGENTS_OPTION, expectNoNames, type Command, type CommandLine } from './command.ts';

const NAMES: readonly string[] = PROTOCOLS.map(({ name }) => name);

/** The protocols in which a caller starts its agent as a process. */
const PROCESSES: readonly string[] = PROTOCOLS.flatMap(row => ('isServedAsProcess' in row ? [row.name] : []));

/**
 * `parley bridge`: serves an agent of the agents file as an agent of another protocol until the user interrupts.
 * Naming the agent is the consent to start it and to send it what callers send.
 */
export const bridge: Command = {
  name: 'bridge',
  usage: '',
  summary: 'Serves an agent (--to AGENT) to callers of another protocol (--as PROTOCOL) until Ctrl-C.',
  options: [
    { name: 'to', value: 'AGENT', summary: 'The agent of the agents file that answers.' },
    { name: 'as', value: 'PROTOCOL', values: NAMES, summary: 'The protocol that callers speak.' },
    { name: 'listen', value: 'PORT', summary: 'The port of this computer; by default any free one.' },
    {
      name: 'stdio',
      summary:
        'Serves the program that starts the command, over standard input and output, until the input ends.',
    },
    AGENTS_OPTION,
    { name: 'trace', value: 'FILE', summary: 'Writes the calls to a trace file.' },
    {
      name: 'live',
      value: 'SOCKET',
      summary: 'Sends the calls to the VS Code window that listens there. The window supplies this option.',
    },
  ],
  async run(terminal, line) {
    expectNoNames(line);
    const to = need(line, 'to', 'AGENT');
    const as = ALL_PROTOCOLS.find(need(line, 'as', 'PROTOCOL'));
    const serve = as && SERVERS.get(as.facts.name);
    if (!as || !serve) throw new UsageError(`'--as' is one of ${NAMES.join(', ')}`);
    const port = readPort(line.option('listen'));
    if (line.has('stdio') && line.option('listen') !== undefined)
      throw new UsageError("'--stdio' and '--listen' exclude each other");
    if (line.has('stdio') && !PROCESSES.includes(as.facts.name))
      throw new UsageError(
        `'--stdio' serves callers of ${PROCESSES.join(' and ')}; leave it out, and callers of ${as.facts.name} use the address`,
      );
    const agents = await loadAgents(terminal, line.option('agents'));
    const agent = findAgent(agents, to);
    printFaults(terminal, agents, [agent]);
    const live = line.option('live');
    const traceOut = live === undefined ? line.option('trace') : new LiveSender(live, PRODUCER);
    const session = await openSession(terminal, agents, traceOut, {});
    return codeOf(
      await closing(terminal, session, async () => {
        // Observed from here on, so that an interrupt that comes with the address is not missed.
        const signal = terminal.catchInterrupts();
        const opened = await session.open(agent);
        const options = { protocols: ALL_PROTOCOLS, as, serve, emit: session.emit };
        if (line.has('stdio')) return serveStdio(terminal, opened, { ...options, signal });
        const started = await openBridge(opened, { ...options, port });
        if (!started.ok) throw new UsageError(started.message);
        terminal.err(describeBridge(opened, listSecrets(agent), as.facts.title));
        terminal.out(`${started.bridge.address}\n`);
        if (!signal.aborted) await once(signal, 'abort');
        await started.bridge.close();
        return EXIT.fine;
      }),
    );
  },
};

/** Serves the program that has started this process. Nothing else is written to standard output. */
async function serveStdio(
  terminal: Terminal,
  opened: OpenedAgent,
  { signal, ...options }: BridgeOptions & { readonly signal: AbortSignal },
): Promise<ExitCode> {
  await serveOverStdio(opened, {
    ...options,
    input: terminal.input(signal),
    write: text => terminal.out(text),
    drained: () => terminal.settle(),
    signal,
    warn: text => terminal.err(`parley: ${text}\n`),
  });
  return EXIT.fine;
}

function need(line: CommandLine, name: string, value: string): string {
  const given = line.option(name);
  if (given === undefined)
    throw new UsageError(`'parley bridge' needs --to AGENT and --as PROTOCOL; --${name} ${value} is missing`);
  return given;
}

function readPort(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`'--listen ${text}' is not a port between 0 and 65535`);
}

/** What the bridge starts or sends to, for the user who started it. */
function describeBridge({ agent }: OpenedAgent, secrets: readonly string[], title: string): string {
  const place =
    agent.type === 'http' ? redactUrl(agent.url.href) : showCommandLine(agent.command, agent.args);
  const uses = secrets.length > 0 ? `; it uses ${secrets.join(', ')}` : '';
  return `${showOnOneLine(`parley: ${agent.name} (${place}) answers callers of ${title}${uses}. Ctrl-C ends the bridge`)}\n`;
}
