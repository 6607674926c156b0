import { EventEmitter, type Event, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { AgentConfig } from '../../../agents/src/config/agent-config.ts';
import type { Variables } from '../../../agents/src/config/variables.ts';
import type { WireListener } from '../../../agents/src/connection.ts';
import { KeptConnections } from '../../../agents/src/kept-connections.ts';
import { openAgent } from '../../../agents/src/open-agent.ts';
import { showCommandLine } from '../../../agents/src/stdio/command-line.ts';
import { quote } from '../../../protocol/src/text/quote.ts';
import type { TraceEvent } from '../../../protocol/src/trace/events.ts';
import { redactUrl } from '../../../protocol/src/trace/redact.ts';
import type { AgentList, AgentService, CallListener, CallOutcome, CallRequest } from '../agent-service.ts';
import { DisposableStore } from '../dispose.ts';
import { maySend, UNTRUSTED } from '../trust.ts';
import { AgentFiles, type FoundAgent } from './agent-files.ts';
import { CommandConsent } from './command-consent.ts';
import { Demo } from './demo.ts';
import { Inputs } from './inputs.ts';
import { SECRET_QUESTIONS } from './secret-questions.ts';
import { describeReceiver, Secrets } from './secrets.ts';

type Emit = (event: TraceEvent) => void;

/** Agents where there is Node: read from the workspace's files, reached over the network or started, traced. */
export class DesktopAgents implements AgentService {
  readonly #log: LogOutputChannel;
  readonly #emit: Emit;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  readonly #files: AgentFiles;
  readonly #demo: Demo;
  readonly #inputs = new Inputs();
  readonly #secrets: Secrets;
  readonly #consent: CommandConsent;
  readonly #kept = new KeptConnections();

  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(context: ExtensionContext, log: LogOutputChannel, emit: Emit) {
    this.#log = log;
    this.#emit = emit;
    this.#files = this.#store.add(new AgentFiles(log));
    this.#demo = this.#store.add(new Demo(process.env, log));
    this.#secrets = new Secrets(context.secrets, context.globalState, SECRET_QUESTIONS);
    this.#consent = new CommandConsent(context.workspaceState);
    // An agent that is no longer in a file does not go on.
    this.#store.add(this.#files.onDidChange(() => void this.#endRemoved()));
    for (const event of [this.#files.onDidChange, this.#demo.onDidChange]) {
      this.#store.add(event(() => this.#changed.fire()));
    }
  }

  async list(): Promise<AgentList> {
    const { agents, problems } = await this.#files.read();
    const infos = [...agents.values()].map(({ config, file }) => ({
      name: config.name,
      protocol: config.protocol,
      address: addressOf(config),
      file,
    }));
    return { agents: infos, problems };
  }

  async call(request: CallRequest, listener: CallListener, signal: AbortSignal): Promise<CallOutcome> {
    // The last door before the network, whoever calls.
    if (!maySend()) return fail(UNTRUSTED);
    const found = (await this.#files.read()).agents.get(request.agent);
    if (!found)
      return fail(
        `The agent ${quote(request.agent)} is no longer in the agents file. Send again to another one.`,
      );
    const { config, file } = found;
    if (config.type === 'stdio' && !(await this.#consent.get(file.fsPath, config))) return LEFT;
    if (signal.aborted) return LEFT;
    let hasLeft = false;
    const variables = this.#variablesFor(found, () => (hasLeft = true));
    const emit = (event: TraceEvent): void => {
      this.#emit(event);
      if (event.type === 'call') listener.started(event.call);
    };
    const opened = await openAgent(config, variables, emit, agent => this.#kept.connect(keyOf(found), agent));
    if (!opened.ok && hasLeft) return LEFT;
    if (!opened.ok) return fail(`${opened.message}.`);
    const { wireText, title, timeout, source } = request;
    const outgoing = { wireText, title, source, ...(timeout === undefined ? {} : { timeout }) };
    try {
      return await opened.connection.send(outgoing, this.#listenTo(request, listener), signal);
    } finally {
      await opened.connection.close();
    }
  }

  startDemo(): Promise<ReadonlyMap<string, string>> {
    return this.#demo.start();
  }

  stopDemo(): Promise<void> {
    return this.#demo.stop();
  }

  listSecrets(): readonly string[] {
    return this.#secrets.names();
  }

  forgetSecret(name: string): Promise<void> {
    return this.#secrets.forget(name);
  }

  dispose(): void {
    this.#store.dispose();
    // The host gives no time to wait; processes end with the end of their input, or by their watchdog.
    void this.#kept.close();
  }

  async #endRemoved(): Promise<void> {
    const { agents } = await this.#files.read();
    const processes = [...agents.values()].filter(({ config }) => config.type === 'stdio');
    this.#kept.retain(new Set(processes.map(keyOf)));
  }

  /** Heads and bytes are in the trace already; notes go to the log as well. */
  #listenTo(request: CallRequest, listener: CallListener): WireListener {
    return {
      head: () => undefined,
      bytes: () => undefined,
      note: text => this.#log.info(`${request.agent}: ${text}`),
      progress: added => listener.progress(added),
    };
  }

  /** `left` is called where the user leaves a question about a value. */
  #variablesFor(found: FoundAgent, left: () => void): Variables {
    const { config, inputs, file, folder } = found;
    const receiver =
      config.type === 'http'
        ? describeReceiver(config.url, file.fsPath)
        : `the process ${addressOf(config)} in ${file.fsPath}`;
    const heed = (value: string | undefined): string | undefined => {
      if (value === undefined) left();
      return value;
    };
    return {
      env: name => process.env[name],
      workspaceFolder: () => folder.uri.fsPath,
      demo: async name => (await this.#demo.start()).get(name),
      input: async id => {
        const input = inputs.get(id);
        return input && heed(await this.#inputs.get(file.toString(), input));
      },
      secret: async name => heed(await this.#secrets.get(name, receiver)),
    };
  }
}

/** Who leaves a question does not want the call, and knows that nothing was sent. */
const LEFT: CallOutcome = { status: 'cancelled', text: '', isProtocol: false };

/** Where an agent is: its URL, or the command line of its process; variables as they are written. */
function addressOf(config: AgentConfig): string {
  return config.type === 'http' ? redactUrl(config.url) : showCommandLine(config.command, config.args);
}

function keyOf({ config, file }: FoundAgent): string {
  return JSON.stringify([file.toString(), config.name]);
}

function fail(message: string): CallOutcome {
  return { status: 'error', text: '', message, isProtocol: false };
}
