import { EventEmitter, type Event, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { Variables } from '../../../agents/src/config/variables.ts';
import type { WireListener } from '../../../agents/src/connection.ts';
import { openAgent } from '../../../agents/src/open-agent.ts';
import { quote } from '../../../protocol/src/text/quote.ts';
import type { TraceEvent } from '../../../protocol/src/trace/events.ts';
import { redactUrl } from '../../../protocol/src/trace/redact.ts';
import type { AgentList, AgentService, CallListener, CallOutcome, CallRequest } from '../agent-service.ts';
import { DisposableStore } from '../dispose.ts';
import { maySend, UNTRUSTED } from '../trust.ts';
import { AgentFiles, type FoundAgent } from './agent-files.ts';
import { Demo } from './demo.ts';
import { Inputs } from './inputs.ts';
import { SECRET_QUESTIONS } from './secret-questions.ts';
import { describeReceiver, Secrets } from './secrets.ts';

type Emit = (event: TraceEvent) => void;

/** Agents where there is Node: read from the workspace's files, reached over the network, traced. */
export class DesktopAgents implements AgentService {
  readonly #log: LogOutputChannel;
  readonly #emit: Emit;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  readonly #files: AgentFiles;
  readonly #demo: Demo;
  readonly #inputs = new Inputs();
  readonly #secrets: Secrets;

  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(context: ExtensionContext, log: LogOutputChannel, emit: Emit) {
    this.#log = log;
    this.#emit = emit;
    this.#files = this.#store.add(new AgentFiles(log));
    this.#demo = this.#store.add(new Demo(process.env, log));
    this.#secrets = new Secrets(context.secrets, context.globalState, SECRET_QUESTIONS);
    for (const event of [this.#files.onDidChange, this.#demo.onDidChange]) {
      this.#store.add(event(() => this.#changed.fire()));
    }
  }

  async list(): Promise<AgentList> {
    const { agents, problems } = await this.#files.read();
    const infos = [...agents.values()].map(({ config, file }) => ({
      name: config.name,
      protocol: config.protocol,
      address: redactUrl(config.url),
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
    let hasLeft = false;
    const variables = this.#variablesFor(found, () => (hasLeft = true));
    const opened = await openAgent(found.config, variables, event => {
      this.#emit(event);
      if (event.type === 'call') listener.started(event.call);
    });
    // Who leaves a question does not want the call, and knows that nothing was sent.
    if (!opened.ok && hasLeft) return { status: 'cancelled', text: '', isProtocol: false };
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
    const receiver = describeReceiver(config.url, file.fsPath);
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

function fail(message: string): CallOutcome {
  return { status: 'error', text: '', message, isProtocol: false };
}
