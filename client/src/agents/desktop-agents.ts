import { EventEmitter, type Event, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { readEnv } from '../../../agents/config/read-env.ts';
import type { ResolvedAgent } from '../../../agents/config/resolve-agent.ts';
import type { WireListener } from '../../../agents/connection.ts';
import { KeptConnections } from '../../../agents/kept-connections.ts';
import type { SignInHost } from '../../../agents/mcp/auth/host.ts';
import { NO_LIMIT, type Room } from '../../../agents/store/event-sink.ts';
import { quote } from '../../../core/text/quote.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { valueOfSecret, type Secret } from '../../../core/text/secret.ts';
import type { Resolution } from '../../../language/variables/resolve.ts';
import type {
  AgentDraft,
  AgentList,
  AgentOffer,
  AgentRequest,
  AgentService,
  BegunCall,
  CallOutcome,
  VariableTask,
} from '../agent-service.ts';
import { DisposableStore } from '../dispose.ts';
import { maySend, UNTRUSTED } from '../trust.ts';
import { addressOf, receiverOf } from './agent-address.ts';
import { AgentConsent } from './agent-consent.ts';
import { AgentFiles, type FoundAgent } from './agent-files.ts';
import { keyOf, nameOf } from './agent-key.ts';
import { AgentOffers, type ReadOffer } from './agent-offers.ts';
import { AgentOpener } from './agent-opener.ts';
import { writeCurl } from './curl.ts';
import { Demo } from './demo.ts';
import { recordPassages } from './demo-passages.ts';
import { diagnoseAgent } from './diagnosis.ts';
import { EnvironmentFiles } from './environment-files.ts';
import { ExposureDiagnostics } from './exposure-diagnostics.ts';
import { Inputs } from './inputs.ts';
import { moveCredential, type Credential } from './move-credential.ts';
import { offerAfterCall, readOffer } from './read-offer.ts';
import { resolveTask } from './request-variables.ts';
import { SECRET_QUESTIONS } from './secret-questions.ts';
import { Secrets } from './secrets.ts';
import { ProxyRecorders } from './proxy-recorders.ts';
import { openSignIn } from './sign-in.ts';
import { forgetSignIn } from './sign-out.ts';
import { SignInUris } from './sign-in-uris.ts';
import { UserQuestions } from './user-questions.ts';
import { writeAgent } from './write-agent.ts';

type Emit = (event: TraceEvent) => void;
const TOLD_NOBODY: Emit = () => undefined;

/** Agents where there is Node: read from the workspace's files, reached over the network or started, traced. */
export class DesktopAgents implements AgentService {
  readonly #log: LogOutputChannel;
  readonly #emit: Emit;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new EventEmitter<void>());
  readonly #files: AgentFiles;
  /** What records the exchanges of this window's proxies. */
  readonly recorders: ProxyRecorders;
  readonly #demo: Demo;
  readonly #secrets: Secrets;
  readonly #opener: AgentOpener;
  /** What requests of this window carried as secrets: a later reply may repeat it. */
  readonly #usedSecrets = new Map<string, Secret>();
  readonly environments: EnvironmentFiles;
  readonly #questions: UserQuestions;
  readonly #signIn: SignInHost;
  readonly #kept: KeptConnections;
  readonly #offers = this.#store.add(new AgentOffers((agent, signal) => this.#readOffer(agent, signal)));

  readonly onDidChange: Event<void> = this.#changed.event;
  readonly onDidChangeOffer: Event<string> = this.#offers.onDidChange;

  /** What passes recordings waits while there is no `room` for what is emitted. */
  constructor(context: ExtensionContext, log: LogOutputChannel, emit: Emit, room: Room = NO_LIMIT) {
    this.#log = log;
    this.#emit = emit;
    this.#files = this.#store.add(new AgentFiles());
    this.environments = this.#store.add(new EnvironmentFiles());
    this.recorders = this.#store.add(new ProxyRecorders(emit, room));
    const passages = recordPassages(this.recorders);
    this.#demo = this.#store.add(new Demo(process.env, log, context.extensionUri, passages));
    this.#secrets = new Secrets(context.secrets, context.globalState, SECRET_QUESTIONS);
    this.#opener = new AgentOpener({
      files: this.#files,
      consent: new AgentConsent(context.workspaceState),
      demo: this.#demo,
      inputs: new Inputs(),
      secrets: this.#secrets,
    });
    this.#questions = this.#store.add(new UserQuestions(context.extensionUri));
    const signIn = (this.#signIn = openSignIn(context.secrets, this.#store.add(new SignInUris())));
    this.#kept = new KeptConnections(
      key => this.#offers.expire(nameOf(key)),
      { signIn },
      (key, why) => this.#offers.lose(nameOf(key), why),
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
      type: config.type,
      address: addressOf(config),
      file,
    }));
    return { agents: infos, problems };
  }

  async prepare(agent: string, signal: AbortSignal): Promise<CallOutcome | undefined> {
    const found = await this.findResolved(agent, signal);
    return 'status' in found ? found : undefined;
  }

  async call(
    request: AgentRequest,
    progress: (added: string) => void,
    signal: AbortSignal,
  ): Promise<BegunCall | CallOutcome> {
    const { language, doubtful } = request;
    const opened = await this.#opener.open(request.agent, this.#emit, signal, found => ({
      ...(language && { language }),
      doubtful,
      connect: agent => this.#kept.connect(keyOf(found), agent),
    }));
    if ('status' in opened) return opened;
    const { wireText, title, timeout, source, session, trace } = request;
    for (const secret of request.secrets ?? []) this.#keepSecret(secret);
    const outgoing = {
      wireText,
      title,
      secrets: [...this.#usedSecrets.values()],
      questions: this.#questions,
      ...(source && { source }),
      ...(trace === undefined ? {} : { trace }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(session === undefined ? {} : { session }),
    };
    const { call, reply } = opened.send(outgoing, this.#listenTo(request.agent, progress), signal);
    const outcome = reply.then(came => {
      if (came.status === 'ok') this.#noteOffer(opened.found);
      return came;
    });
    return { call, shown: opened.redact(outgoing), outcome };
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
    const agent = await this.findResolved(name, signal);
    return diagnoseAgent(name, agent, this.#signIn, onStep, signal);
  }

  /** An agent with its variables replaced and the consent of its user; else why there is none. */
  async findResolved(name: string, signal: AbortSignal): Promise<ResolvedAgent | CallOutcome> {
    const opened = await this.#opener.open(name, TOLD_NOBODY, signal, found => ({
      connect: agent => this.#kept.connect(keyOf(found), agent),
    }));
    return 'status' in opened ? opened : opened.agent;
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

  async #readOffer(name: string, signal: AbortSignal): Promise<ReadOffer> {
    const config = (await this.#files.read()).agents.get(name)?.config;
    const question = {
      opener: this.#opener,
      kept: this.#kept,
      emit: this.#emit,
      listener: this.#listenTo(name, () => undefined),
      request: { secrets: [...this.#usedSecrets.values()], questions: this.#questions },
    };
    return readOffer(name, config?.protocol, question, signal);
  }

  /** One that has a name keeps it. */
  #keepSecret(secret: Secret): void {
    const value = valueOfSecret(secret);
    if (typeof secret !== 'string' || !this.#usedSecrets.has(value)) this.#usedSecrets.set(value, secret);
  }

  #noteOffer(found: FoundAgent): void {
    const { name } = found.config;
    const kept = this.#kept.find(keyOf(found));
    if (kept) this.#offers.note(name, offerAfterCall(kept, this.#offers.get(name)));
  }

  async moveCredential(agent: string, credential: Credential): Promise<string | undefined> {
    if (!maySend()) return UNTRUSTED;
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

  async findRecorded(agent: string, kind: 'secret' | 'env', name: string): Promise<string | undefined> {
    if (!maySend()) return undefined;
    if (kind === 'env') return readEnv(process.env, name);
    const found = (await this.#files.read()).agents.get(agent);
    return found && this.#secrets.get(name, receiverOf(found));
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
    // The server is asked to take the tokens back.
    if (!maySend()) return UNTRUSTED;
    const { agents } = await this.#files.read();
    const found = agents.get(name);
    if (!found) return `The agent ${quote(name)} is no longer in the agents file.`;
    const { config } = found;
    const said = await forgetSignIn(
      config,
      this.#opener.variablesFor(found, () => undefined),
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
}
