import { once } from 'node:events';
import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { basename, resolve } from 'node:path';
import type { ExchangeRecorder } from '../../../agents/proxy/exchange.ts';
import {
  readHostName,
  readOrigin,
  originOf,
  type RefusedRequest,
} from '../../../agents/http/local-access.ts';
import { RecursionGuard } from '../../../agents/proxy/guard.ts';
import { MAX_CONFIG_BYTES } from '../../../agents/regular-file.ts';
import { startHttpProxy, type HttpProxy } from '../../../agents/proxy/http/http-proxy.ts';
import { Recorder, type Recording } from '../../../agents/proxy/recording/recorder.ts';
import { RecorderThread } from '../../../agents/proxy/thread/recorder-thread.ts';
import { LiveSender } from '../../../agents/proxy/live/live-sender.ts';
import type { EventSink, TraceFileWriter } from '../../../agents/store/trace-file.ts';
import { RANDOM_IDS, now } from '../../../agents/runtime.ts';
import { DEEPEST_CALL } from '../../../core/catalog/trace-names.ts';
import { showOnOneLine } from '../../../core/text/quote.ts';
import { findCredentials, redactUrl, Redactor } from '../../../core/secrets/redact.ts';
import { EXIT, UsageError } from '../exit.ts';
import { readBytes } from '../files.ts';
import type { Terminal } from '../terminal.ts';
import { endAs, recordProcess } from '../record-process.ts';
import { closing, codeOf, openTraceOut, PRODUCER } from '../traces/trace-out.ts';
import { FORMAT_OPTION, type Command, type CommandLine } from './command.ts';

/**
 * `parley record`: records the traffic of agents to a trace file. It is either a proxy in front of addresses
 * until the user interrupts, or it starts a process and records its input and output until the process ends.
 */
export const record: Command = {
  name: 'record',
  usage: '',
  summary:
    'Records the traffic between callers and agents (--listen PORT --to URL), or of a process (-- COMMAND…), in a trace file.',
  options: [
    {
      name: 'listen',
      value: 'PORT',
      isRepeatable: true,
      summary: 'The port of this computer that callers use instead of the agent; 0 is any free one.',
    },
    {
      name: 'to',
      value: 'URL',
      isRepeatable: true,
      summary:
        "The agent's address; --listen and --to may be given several times, for agents that call each other.",
    },
    {
      name: 'name',
      value: 'NAME',
      isRepeatable: true,
      summary: "The agent's name in the trace, once for each --to; without it its host, or its command.",
    },
    {
      name: 'out',
      value: 'FILE',
      summary: 'The trace file; without it one with the time in its name, here.',
    },
    {
      name: 'live',
      value: 'SOCKET',
      summary:
        'Sends the recording of a process to the VS Code window that listens there, and writes no file. The window supplies this option.',
    },
    {
      name: 'guard',
      summary: 'Refuses calls that are nested deeper than the limit.',
    },
    {
      name: 'depth-limit',
      value: 'N',
      summary: `Maximum depth of nested calls with --guard; ${DEEPEST_CALL} by default.`,
    },
    {
      name: 'rewrite-card',
      summary: "Writes the recording's address into the card of an A2A agent, which otherwise bypasses it.",
    },
    {
      name: 'allow-origin',
      value: 'ORIGIN',
      isRepeatable: true,
      summary:
        'Admits web pages of an origin, such as http://localhost:3000; without it no page reaches an agent through a recording.',
    },
    {
      name: 'allow-host',
      value: 'HOST',
      isRepeatable: true,
      summary:
        'Admits callers that name the recording by this host, such as host.docker.internal, besides localhost and 127.0.0.1.',
    },
    {
      name: 'tls-ca',
      value: 'FILE',
      summary:
        "The CA certificate, in PEM, to verify an agent's https address with, instead of those of Node.js.",
    },
    FORMAT_OPTION,
  ],
  async run(terminal, line) {
    const targets = readTargets(line);
    const [command, ...args] = line.paths;
    if (command !== undefined) refuseAddressOptions(line);
    else if (line.option('live') !== undefined)
      throw new UsageError('--live is for a command after --; recordings of addresses are written to --out');
    if (command !== undefined && targets.length > 0)
      throw new UsageError("'parley record' takes --listen with --to, or a command after --, not both");
    if (command === undefined && targets.length === 0)
      throw new UsageError("'parley record' needs --listen PORT --to URL, or a command after --");
    if (command !== undefined) return runProcess(terminal, line, { command, args });
    const limit = readLimit(line);
    const out = findOut(terminal, line);
    // With `--guard`, calls can be refused, so they are recorded here before they pass. Otherwise a worker
    // thread records.
    if (!line.has('guard')) {
      const recorders = await openThread(terminal, out);
      return codeOf(
        await closing(terminal, recorders, () => recordAddresses(terminal, line, targets, recorders)),
      );
    }
    const file = await openTraceOut(terminal, out);
    return codeOf(
      await closing(terminal, file, () =>
        recordAddresses(terminal, line, targets, guardedRecorders(file, limit)),
      ),
    );
  },
};

/** Records a process to a file, or sends the events to the window that listens (`--live`). */
async function runProcess(
  terminal: Terminal,
  line: CommandLine,
  process: { readonly command: string; readonly args: readonly string[] },
): Promise<number> {
  const live = line.option('live');
  if (live !== undefined && line.option('out') !== undefined)
    throw new UsageError(
      '--live sends the recording to a window, and --out writes it to a file; use one of them',
    );
  const sink =
    live === undefined
      ? await openTraceOut(terminal, findOut(terminal, line))
      : new LiveSender(live, PRODUCER);
  const name = line.option('name') ?? basename(process.command);
  const { result } = await closing(terminal, sink, () =>
    recordProcess(terminal.cwd, process, describeRecording(name, sink, []), sink),
  );
  // The caller expects the exit code or signal of the process, even if the trace is incomplete.
  return endAs(result);
}

function findOut({ cwd }: Terminal, line: CommandLine): string {
  return resolve(cwd, line.option('out') ?? nameByTime(new Date()));
}

/** Throws a UsageError for options that apply only to recording in front of an address. */
function refuseAddressOptions(line: CommandLine): void {
  const given = ADDRESS_OPTIONS.find(
    name => line.has(name) || line.option(name) !== undefined || line.options(name).length > 0,
  );
  if (given !== undefined)
    throw new UsageError(`--${given} is for addresses (--listen with --to); a command after -- has none`);
}

const ADDRESS_OPTIONS = [
  'guard',
  'depth-limit',
  'rewrite-card',
  'allow-origin',
  'allow-host',
  'tls-ca',
  'format',
];

/** Opens the recorders of the agents, all for one file. */
interface Recorders {
  readonly path: string;
  open(agent: string, secrets: readonly string[]): ExchangeRecorder;
}

async function openThread(
  terminal: Terminal,
  path: string,
): Promise<Recorders & { close(): Promise<string | undefined> }> {
  const started = await RecorderThread.start({ to: 'file', path, producer: PRODUCER }, now);
  if (!started.ok) throw new UsageError(started.message);
  const { thread } = started;
  thread.onMissing(message => terminal.err(`parley: ${message}\n`));
  void thread.failed.then(why => terminal.err(`parley: ${why}\n`));
  return {
    path,
    open: (agent, secrets) => thread.open({ agent, secrets, secretHeaders: [] }),
    close: () => thread.close(),
  };
}

function guardedRecorders(file: TraceFileWriter, limit: number): Recorders {
  const guard = new RecursionGuard(limit);
  return {
    path: file.path,
    open: (agent, secrets) =>
      new Recorder({ ...describeRecording(agent, file, secrets), guard, capacity: file }),
  };
}

/** An agent, and the local port on which callers reach it through the proxy. */
interface Target {
  readonly port: number;
  readonly url: URL;
  readonly name: string;
}

function readTargets(line: CommandLine): readonly Target[] {
  const [ports, urls, names] = [line.options('listen'), line.options('to'), line.options('name')];
  if (ports.length !== urls.length)
    throw new UsageError(`Each --listen needs one --to; there are ${ports.length} and ${urls.length}`);
  if (urls.length > 0 && names.length > urls.length)
    throw new UsageError(`Each --name belongs to one --to; there are ${names.length} and ${urls.length}`);
  return urls.map((text, index) => {
    const url = readUrl(text);
    return { port: readPort(ports[index] ?? ''), url, name: names[index] ?? url.host };
  });
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new UsageError(`--listen takes a port, a number from 0 to 65535; it got '${text}'`);
}

function readLimit(line: CommandLine): number {
  const text = line.option('depth-limit');
  if (text === undefined) return DEEPEST_CALL;
  if (!line.has('guard')) throw new UsageError('--depth-limit is the limit of --guard, which is missing');
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--depth-limit takes a whole number from 1 on; it got '${text}'`);
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(
      `--to takes an address that begins with http:// or https://; it got '${redactUrl(text)}'`,
    );
  if (url.username !== '' || url.password !== '' || url.search !== '')
    throw new UsageError(
      `--to takes an address without user, password and query, because callers send these themselves; it got '${redactUrl(text)}'`,
    );
  return url;
}

function readAllowedOrigin(text: string): string {
  const origin = readOrigin(text);
  if (origin !== undefined) return origin;
  throw new UsageError(
    `--allow-origin takes one origin, http://HOST:PORT or https://HOST without a path; it got '${text}'`,
  );
}

function readAllowedHost(text: string): string {
  const host = readHostName(text);
  if (host !== undefined) return host;
  throw new UsageError(`--allow-host takes a host name, with or without a port; it got '${text}'`);
}

/** Names the option that admits the refused request; empty if there is none. */
function adviceOn(refused: RefusedRequest): string {
  const origin = originOf(refused);
  if (origin !== undefined) return `. To admit it, record with --allow-origin ${showOnOneLine(origin)}`;
  if (refused.kind === 'page') return '. --allow-origin ORIGIN admits pages that name their origin';
  return refused.kind === 'host' && refused.who !== ''
    ? `. To admit it, record with --allow-host ${showOnOneLine(refused.who)}`
    : '';
}

/** Colons are replaced, because some systems do not allow them in file names. */
function nameByTime(time: Date): string {
  return `recording-${time.toISOString().slice(0, 19).replaceAll(':', '-')}.agenttrace.jsonl`;
}

async function recordAddresses(
  terminal: Terminal,
  line: CommandLine,
  targets: readonly Target[],
  recorders: Recorders,
): Promise<number> {
  const signal = terminal.catchInterrupts();
  const rewritesCards = line.has('rewrite-card');
  const certificate = line.option('tls-ca');
  const tls =
    certificate === undefined
      ? {}
      : { ca: Buffer.from(await readBytes(terminal, certificate, MAX_CONFIG_BYTES)).toString() };
  const origins = new Set(line.options('allow-origin').map(readAllowedOrigin));
  const hosts = new Set(line.options('allow-host').map(readAllowedHost));
  const proxies: HttpProxy[] = [];
  try {
    for (const { port, url, name } of targets) {
      const recorder = recorders.open(name, findCredentials(url.href, new Map()));
      const onRefused = (refused: RefusedRequest): void =>
        terminal.err(`parley: ${name}: ${refused.message}${adviceOn(refused)}\n`);
      const access = { origins, hosts, onRefused };
      const started = await startHttpProxy({ url, tls, rewritesCards }, port, recorder, access);
      if (!started.ok) throw new UsageError(started.message);
      proxies.push(started.proxy);
    }
    const rows = targets.map(({ name, url }, index) => ({
      name,
      address: proxies[index]?.address ?? '',
      to: redactUrl(url.href),
    }));
    terminal.out(
      line.option('format') === 'json'
        ? `${JSON.stringify({ recordings: rows, out: recorders.path })}\n`
        : `${rows.map(({ name, address, to }) => `${name}: ${address} forwards to ${to}\n`).join('')}Recording to ${recorders.path}; Ctrl-C ends it\n`,
    );
    if (!signal.aborted) await once(signal, 'abort');
    return EXIT.fine;
  } finally {
    await Promise.all(proxies.map(proxy => proxy.close()));
  }
}

function describeRecording(
  agent: string,
  file: Pick<EventSink, 'write'>,
  secrets: readonly string[],
): Recording {
  return {
    agent,
    protocols: ALL_PROTOCOLS,
    emit: event => file.write(event),
    now,
    ids: RANDOM_IDS,
    redactor: new Redactor(secrets),
  };
}
