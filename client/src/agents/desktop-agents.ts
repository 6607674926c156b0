import { readEnv } from '../../../agents/src/config/read-env.ts';
import { EventEmitter, type Event, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { AgentConfig } from '../../../agents/src/config/agent-config.ts';
import type { ResolvedAgent } from '../../../agents/src/config/resolve-agent.ts';
import type { Variables } from '../../../agents/src/config/variables.ts';
import type { Outgoing, WireListener } from '../../../agents/src/connection.ts';
import { describeUnopened, diagnose } from '../../../agents/src/doctor/diagnose.ts';
import { printDiagnosis } from '../../../agents/src/doctor/report.ts';
import { KeptConnections } from '../../../agents/src/kept-connections.ts';
import { describeUnlisted, OfferReader } from '../../../agents/src/offer/offer-reader.ts';
import type { KnownTools } from '../../../agents/src/offer/known-tools.ts';
import type { SignInHost } from '../../../agents/src/mcp/auth/host.ts';
import { openAgent, type OpenedAgent, type OpenOptions } from '../../../agents/src/open-agent.ts';
import { showCommandLine } from '../../../agents/src/stdio/command-line.ts';
import { quote } from '../../../protocol/src/text/quote.ts';
import type { TraceEvent } from '../../../protocol/src/trace/events.ts';
import { redactUrl } from '../../../protocol/src/trace/redact.ts';
import type { Resolution } from '../../../protocol/src/variables/resolve.ts';
import type {
  AgentDraft,
  AgentList,
  AgentOffer,
  AgentService,
  CallListener,
  CallOutcome,
  CallRequest,
  VariableTask,
} from '../agent-service.ts';
import { DisposableStore } from '../dispose.ts';
import { maySend, UNTRUSTED } from '../trust.ts';
import { AgentFiles, type FoundAgent } from './agent-files.ts';
import { keyOf, nameOf } from './agent-key.ts';
import { AgentOffers, type ReadOffer } from './agent-offers.ts';
import { CommandConsent } from './command-consent.ts';
import { writeCurl } from './curl.ts';
import { Demo } from './demo.ts';
import { EnvironmentFiles } from './environment-files.ts';
import { ExposureDiagnostics } from './exposure-diagnostics.ts';
import { Inputs } from './inputs.ts';
import { moveCredential, type Credential } from './move-credential.ts';
import { resolveTask } from './request-variables.ts';
import { SECRET_QUESTIONS } from './secret-questions.ts';
import { describeReceiver, Secrets } from './secrets.ts';
import { openSignIn } from './sign-in.ts';
import { forgetSignIn } from './sign-out.ts';
import { SignInUris } from './sign-in-uris.ts';
import { UserQuestions } from './user-questions.ts';
import { writeAgent } from './write-agent.ts';

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
  /** What requests of this window carried as secrets: a later reply may repeat it. */
  readonly #usedSecrets = new Set<string>();
  readonly environments: EnvironmentFiles;
  readonly #questions: UserQuestions;
  readonly #signIn: SignInHost;
  readonly #kept: KeptConnections;
  readonly #offers = this.#store.add(new AgentOffers((agent, signal) => this.#readOffer(agent, signal)));

  readonly onDidChange: Event<void> = this.#changed.event;
  readonly onDidChangeOffer: Event<string> = this.#offers.onDidChange;

  constructor(context: ExtensionContext, log: LogOutputChannel, emit: Emit) {
    this.#log = log;
    this.#emit = emit;
    this.#files = this.#store.add(new AgentFiles(log));
    this.environments = this.#store.add(new EnvironmentFiles(log));
    this.#demo = this.#store.add(new Demo(process.env, log));
    this.#secrets = new Secrets(context.secrets, context.globalState, SECRET_QUESTIONS);
    this.#consent = new CommandConsent(context.workspaceState);
    this.#questions = this.#store.add(new UserQuestions(context.extensionUri));
    const signIn = (this.#signIn = openSignIn(context.secrets, this.#store.add(new SignInUris())));
    this.#kept = new KeptConnections(
      key => this.#offers.expire(nameOf(key)),
      { signIn },
      key => this.#offers.lose(nameOf(key)),
    );
    this.#store.add(new ExposureDiagnostics(this));
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
    const emit = (event: TraceEvent): void => {
      this.#emit(event);
      if (event.type === 'call') listener.started(event.call);
    };
    const { language, doubtful } = request;
    const opened = await this.#open(request.agent, emit, signal, found => ({
      language,
      doubtful,
      connect: agent => this.#kept.connect(keyOf(found), agent),
    }));
    if ('status' in opened) return opened;
    const { wireText, title, timeout, source, session } = request;
    for (const secret of request.secrets ?? []) this.#usedSecrets.add(secret);
    const secrets = [...this.#usedSecrets];
    const outgoing = {
      wireText,
      title,
      secrets,
      questions: this.#questions,
      ...(source && { source }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(session === undefined ? {} : { session }),
    };
    listener.asked?.(opened.redact(outgoing));
    try {
      const wire = this.#listenTo(request.agent, added => listener.progress(added));
      const reply = await opened.connection.send(outgoing, wire, signal);
      if (reply.status === 'ok') this.#noteOffer(opened.found);
      return reply;
    } finally {
      await opened.connection.close();
    }
  }

  offer(agent: string): AgentOffer {
    return this.#offers.get(agent);
  }

  connect(agent: string): Promise<AgentOffer> {
    return this.#offers.ask(agent);
  }

  async disconnect(agent: string): Promise<void> {
    this.#offers.forget(agent);
    const found = (await this.#files.read()).agents.get(agent);
    if (found) await this.#kept.disconnect(keyOf(found));
  }

  async diagnose(
    name: string,
    onStep: (step: string) => void,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    let resolved: ResolvedAgent | undefined;
    const opened = await this.#open(
      name,
      () => undefined,
      signal,
      found => ({
        connect: agent => {
          resolved = agent;
          return this.#kept.connect(keyOf(found), agent);
        },
      }),
    );
    if ('status' in opened && opened.status === 'cancelled') return undefined;
    const message = 'status' in opened ? opened.message : undefined;
    if (!resolved) return printDiagnosis(describeUnopened(name, message ?? ''));
    return printDiagnosis(await diagnose(resolved, signal, step => onStep(step.name)));
  }

  async add(draft: AgentDraft): Promise<string | undefined> {
    const problem = await writeAgent(draft);
    // A watcher tells later: who added it wants to see it.
    if (problem === undefined) this.#changed.fire();
    return problem;
  }

  async writeCurl(agent: string, wireText: string): Promise<string | undefined> {
    const config = (await this.#files.read()).agents.get(agent)?.config;
    return config?.type === 'http' ? writeCurl(config, wireText) : undefined;
  }

  /** Opens an agent with the consent of its user, or answers why not. */
  async #open(
    name: string,
    emit: Emit,
    signal: AbortSignal,
    options: (found: FoundAgent) => OpenOptions,
  ): Promise<(Extract<OpenedAgent, { ok: true }> & { readonly found: FoundAgent }) | CallOutcome> {
    // The last door before the network, whoever calls.
    if (!maySend()) return fail(UNTRUSTED);
    const found = (await this.#files.read()).agents.get(name);
    if (!found)
      return fail(`The agent ${quote(name)} is no longer in the agents file. Send again to another one.`);
    const { config, file } = found;
    if (config.type === 'stdio' && !(await this.#consent.get(file.fsPath, config))) return LEFT;
    if (signal.aborted) return LEFT;
    let hasLeft = false;
    const variables = this.#variablesFor(found, () => (hasLeft = true));
    const opened = await openAgent(config, variables, emit, options(found));
    if (opened.ok) return { ...opened, found };
    return hasLeft ? LEFT : fail(`${opened.message}.`);
  }

  /** Asks an agent for all that it offers: one call in the traces. */
  async #readOffer(name: string, signal: AbortSignal): Promise<ReadOffer> {
    const config = (await this.#files.read()).agents.get(name)?.config;
    const unlisted = config && describeUnlisted(config.protocol);
    if (unlisted !== undefined) return { ...NOTHING_OFFERED, state: 'idle', problem: unlisted };
    let reader: OfferReader | undefined;
    let tools: KnownTools | undefined;
    const opened = await this.#open(name, this.#emit, signal, found => ({
      connect: agent => {
        const kept = this.#kept.connect(keyOf(found), agent);
        reader = new OfferReader(kept);
        tools = kept.tools;
        return { ...kept, connection: reader };
      },
    }));
    if ('status' in opened) return describeUnread(opened);
    const request: Outgoing = {
      wireText: '',
      title: 'Tools',
      secrets: [...this.#usedSecrets],
      questions: this.#questions,
    };
    const reply = await opened.connection.send(
      request,
      this.#listenTo(name, () => undefined),
      signal,
    );
    if (reply.status !== 'ok') return describeUnread(reply);
    return {
      state: 'connected',
      peer: reader?.peer,
      tools: tools?.tools,
      at: tools?.at,
      resources: reader?.resources ?? [],
      prompts: reader?.prompts ?? [],
      problem: reader?.problem === undefined ? undefined : `It lists no tools: ${reader.problem}`,
    };
  }

  /** A call that went well says that its agent is there, and may have asked it for its tools. */
  #noteOffer(found: FoundAgent): void {
    const { name } = found.config;
    const kept = this.#kept.find(keyOf(found));
    const { resources, prompts } = this.#offers.get(name);
    if (!kept) return;
    this.#offers.note(name, {
      state: 'connected',
      peer: kept.connection.peer,
      tools: kept.tools.tools,
      at: kept.tools.at,
      resources,
      prompts,
      problem: undefined,
    });
  }

  async moveCredential(agent: string, credential: Credential): Promise<string | undefined> {
    const found = (await this.#files.read()).agents.get(agent);
    if (!found) return `The agent ${quote(agent)} is no longer in the agents file.`;
    return moveCredential(this.#secrets, found, receiverOf(found), credential);
  }

  async resolve(task: VariableTask): Promise<Resolution | undefined> {
    if (!maySend()) return { ok: false, problems: [UNTRUSTED] };
    const found = (await this.#files.read()).agents.get(task.agent);
    return resolveTask(task, this.environments, async name =>
      found ? this.#secrets.get(name, receiverOf(found)) : undefined,
    );
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

  async signOut(name: string): Promise<string> {
    const { agents } = await this.#files.read();
    const found = agents.get(name);
    if (!found) return `The agent ${quote(name)} is no longer in the agents file.`;
    const { config } = found;
    const said = await forgetSignIn(
      config,
      this.#variablesFor(found, () => undefined),
      this.#signIn,
    );
    // Connections to the same server remember its tokens as well.
    const url = config.type === 'http' ? config.url : '';
    for (const { config: other } of agents.values())
      if (other.type === 'http' && other.url === url) await this.disconnect(other.name);
    return said;
  }

  dispose(): void {
    this.#store.dispose();
    // The host gives no time to wait; processes end with the end of their input, or by their watchdog.
    void this.#kept.close();
  }

  async #endRemoved(): Promise<void> {
    const { agents } = await this.#files.read();
    this.#kept.retain(new Set([...agents.values()].map(keyOf)));
    this.#offers.retain(new Set(agents.keys()));
  }

  /** Heads and bytes are in the trace already; notes go to the log as well. */
  #listenTo(agent: string, progress: (added: string) => void): WireListener {
    return {
      head: () => undefined,
      bytes: () => undefined,
      note: text => this.#log.info(`${agent}: ${text}`),
      progress,
    };
  }

  /** `left` is called where the user leaves a question about a value. */
  #variablesFor(found: FoundAgent, left: () => void): Variables {
    const { inputs, file, folder } = found;
    const receiver = receiverOf(found);
    const heed = (value: string | undefined): string | undefined => {
      if (value === undefined) left();
      return value;
    };
    return {
      env: name => readEnv(process.env, name),
      workspaceFolder: () => folder?.uri.fsPath,
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

/** Who would get a secret that is sent to an agent. */
function receiverOf({ config, file }: FoundAgent): string {
  return config.type === 'http'
    ? describeReceiver(config.url, file.fsPath, config.tls)
    : `the process ${addressOf(config)} in ${file.fsPath}`;
}

/** Where an agent is: its URL, or the command line of its process; variables as they are written. */
function addressOf(config: AgentConfig): string {
  return config.type === 'http' ? redactUrl(config.url) : showCommandLine(config.command, config.args);
}

const NOTHING_OFFERED = {
  peer: undefined,
  tools: undefined,
  at: undefined,
  resources: [],
  prompts: [],
} as const;

/** Who leaves a question is not told that something failed. */
function describeUnread({ status, message }: Pick<CallOutcome, 'status' | 'message'>): ReadOffer {
  return {
    ...NOTHING_OFFERED,
    state: status === 'cancelled' ? 'idle' : 'failed',
    problem: status === 'cancelled' ? undefined : (message ?? 'The agent did not answer'),
  };
}

function fail(message: string): CallOutcome {
  return { status: 'error', text: '', message, isProtocol: false };
}
