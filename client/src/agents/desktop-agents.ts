import { connectAgent } from '../../../agents/all.ts';
import { type Event, type ExtensionContext, type LogOutputChannel } from 'vscode';
import { readEnv } from '../../../agents/config/variables.ts';
import type { ResolvedAgent } from '../../../agents/config/resolve-agent.ts';
import type { ProgressStep } from '../../../core/message/message.ts';
import type { WireListener } from '../../../agents/connection.ts';
import { ConnectionPool } from '../../../agents/connection-pool.ts';
import type { SignInHost } from '../../../agents/sign-in-host.ts';
import type { OpenRecorder } from '../../../agents/proxy/exchange.ts';
import { NO_LIMIT, type Capacity } from '../../../agents/store/trace-file.ts';
import { quote } from '../../../core/text/quote.ts';
import type { TraceEvent } from '../../../core/events/events.ts';
import { valueOfSecret, type Secret } from '../../../core/text/secret.ts';
import type { Resolution } from '../../../language/variables/resolve.ts';
import type {
  AgentList,
  AgentCapabilities,
  AgentRequest,
  AgentService,
  BegunCall,
  CallOutcome,
  FetchHow,
  VariableTask,
} from '../services/agent-service.ts';
import { Changing } from '../base/changing.ts';
import { maySend, UNTRUSTED } from '../base/trust.ts';
import { addressOf, receiverOf } from './agent-address.ts';
import { AgentConsent } from './agent-consent.ts';
import { WrittenEntries } from './agent-entries.ts';
import { AgentFiles, type FoundAgent } from './agent-files.ts';
import { keyOf, nameOf } from './agent-key.ts';
import { CapabilityStore, type FetchedCapabilities } from './capability-store.ts';
import { AgentOpener, type FoundAndOpened } from './agent-opener.ts';
import { writeCurl } from './curl.ts';
import { Demo } from './demo.ts';
import { diagnoseAgent } from './diagnosis.ts';
import { EnvironmentFiles } from './environment-files.ts';
import { ExposureDiagnostics } from './exposure-diagnostics.ts';
import { Inputs } from './inputs.ts';
import { moveCredential, type Credential } from './move-credential.ts';
import { capabilitiesAfterCall, fetchCapabilities } from './fetch-capabilities.ts';
import { folderOf } from './request-folder.ts';
import { resolveTask } from './request-variables.ts';
import { SECRET_QUESTIONS } from './secret-questions.ts';
import { Secrets } from './secrets.ts';
import { ProxyRecorders } from './proxy-recorders.ts';
import { openSignIn } from './sign-in.ts';
import { forgetSignIn, isSignedIn } from './sign-out.ts';
import { SignInUris } from './sign-in-uris.ts';
import { UserQuestions } from './user-questions.ts';

type Emit = (event: TraceEvent) => void;
const NO_LISTENER: Emit = () => undefined;

/** Variables that start nothing and ask the user nothing. */
const UNASKED = { input: () => undefined, secret: () => undefined, demo: () => undefined };

/**
 * The agent service for Node.js: reads agents from the workspace's files, connects to or starts them, and
 * traces their calls.
 */
export class DesktopAgents extends Changing implements AgentService {
  readonly #log: LogOutputChannel;
  readonly #emit: Emit;
  readonly #files: AgentFiles;
  /** The recorders of this window's proxies. */
  readonly recorders: ProxyRecorders;
  readonly #demo: Demo;
  readonly #secrets: Secrets;
  readonly #consent: AgentConsent;
  readonly #opener: AgentOpener;
  /** The secrets that requests of this window carried, because a later reply may repeat them. */
  readonly #usedSecrets = new Map<string, Secret>();
  readonly environments: EnvironmentFiles;
  readonly entries: WrittenEntries;
  readonly #questions: UserQuestions;
  readonly #signIn: SignInHost;
  readonly #pool: ConnectionPool;
  /** The entries of the files when they were last used or changed, by the agent's name. */
  readonly #entries = new Map<string, string>();
  readonly #capabilities = this.own(
    new CapabilityStore((agent, signal, how) => this.#fetchCapabilities(agent, signal, how)),
  );

  readonly onDidChangeCapabilities: Event<string> = this.#capabilities.onDidChange;

  /** Recorded traffic waits while `capacity` has no capacity for emitted events. */
  constructor(context: ExtensionContext, log: LogOutputChannel, emit: Emit, capacity: Capacity = NO_LIMIT) {
    super();
    this.#log = log;
    this.#emit = emit;
    this.#files = this.own(new AgentFiles());
    this.environments = this.own(new EnvironmentFiles());
    this.recorders = this.own(new ProxyRecorders(emit, capacity));
    const openRecorder: OpenRecorder = facts => this.recorders.open(facts, 'apart');
    this.#demo = this.own(new Demo(process.env, log, context.extensionUri, openRecorder));
    this.#secrets = new Secrets(context.secrets, context.globalState, SECRET_QUESTIONS);
    this.#consent = new AgentConsent(context.workspaceState);
    this.#opener = new AgentOpener({
      files: this.#files,
      consent: this.#consent,
      demo: this.#demo,
      inputs: new Inputs(),
      secrets: this.#secrets,
    });
    this.entries = new WrittenEntries({
      files: this.#files,
      consent: this.#consent,
      secrets: this.#secrets,
      onWritten: async () => {
        await this.#followFiles();
        this.changed.fire();
      },
    });
    this.#questions = this.own(new UserQuestions(context.extensionUri));
    const signIn = (this.#signIn = openSignIn(context.secrets, this.own(new SignInUris())));
    this.#pool = new ConnectionPool(
      connectAgent,
      key => this.#capabilities.expire(nameOf(key)),
      { signIn },
      (key, why) => this.#capabilities.lose(nameOf(key), why),
    );
    this.own(new ExposureDiagnostics(this));
    this.own(this.#files.onDidChange(() => void this.#followFiles()));
    for (const event of [this.#files.onDidChange, this.#demo.onDidChange]) {
      this.own(event(() => this.changed.fire()));
    }
  }

  async list(): Promise<AgentList> {
    const { agents, problems } = await this.#files.read();
    for (const [name, found] of agents)
      if (!this.#entries.has(name)) this.#entries.set(name, printEntry(found));
    const infos = [...agents.values()].map(({ config, file, line }) => ({
      name: config.name,
      protocol: config.protocol,
      type: config.type,
      address: addressOf(config),
      file,
      line,
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
    step?: (step: ProgressStep) => void,
  ): Promise<BegunCall | CallOutcome> {
    const { language, warningPolicy } = request;
    const opened = await this.#opener.open(request.agent, this.#emit, signal, found => ({
      ...(language && { language }),
      warningPolicy,
      watches: true,
      pooled: agent => this.#pool.connect(keyOf(found), agent),
    }));
    if ('status' in opened) return opened;
    this.#noteEntry(opened.found);
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
    const listener = { ...this.#listenTo(request.agent, progress), ...(step && { step }) };
    const { call, reply } = opened.send(outgoing, listener, signal);
    const outcome = reply.then(came => {
      if (came.status === 'ok') this.#noteCapabilities(opened.found);
      return came;
    });
    return { call, outcome };
  }

  capabilities(agent: string): AgentCapabilities {
    return this.#capabilities.get(agent);
  }

  connect(agent: string, how: FetchHow = 'traced'): Promise<AgentCapabilities> {
    return this.#capabilities.ask(agent, how);
  }

  async disconnect(agent: string): Promise<void> {
    this.#capabilities.forget(agent);
    const found = (await this.#files.read()).agents.get(agent);
    if (found) await this.#pool.disconnect(keyOf(found));
  }

  async diagnose(
    name: string,
    onStep: (step: string) => void,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const agent = await this.findResolved(name, signal);
    return diagnoseAgent(name, agent, this.#signIn, onStep, signal);
  }

  /** An agent with resolved variables and the user's consent, or the outcome if that fails. */
  async findResolved(name: string, signal: AbortSignal): Promise<ResolvedAgent | CallOutcome> {
    const opened = await this.#opener.open(name, NO_LISTENER, signal, found => ({
      pooled: agent => this.#pool.connect(keyOf(found), agent),
    }));
    return 'status' in opened ? opened : opened.agent;
  }

  /** Opens an agent over a connection of its own, with the consent of the user, or returns the outcome if that fails. */
  openOwn(name: string, emit: Emit): Promise<FoundAndOpened | CallOutcome> {
    return this.#opener.open(name, emit, new AbortController().signal, () => ({}));
  }

  async writeCurl(agent: string, wireText: string): Promise<string | undefined> {
    const config = (await this.#files.read()).agents.get(agent)?.config;
    return config?.type === 'http' ? writeCurl(config, wireText) : undefined;
  }

  async #fetchCapabilities(name: string, signal: AbortSignal, how: FetchHow): Promise<FetchedCapabilities> {
    const found = (await this.#files.read()).agents.get(name);
    if (found) this.#noteEntry(found);
    const question = {
      opener: this.#opener,
      pool: this.#pool,
      emit: how === 'traced' ? this.#emit : NO_LISTENER,
      listener: this.#listenTo(name, () => undefined),
      request: { secrets: [...this.#usedSecrets.values()], questions: this.#questions },
    };
    return fetchCapabilities(name, found?.config.protocol, question, signal);
  }

  /** Stores a secret; a named one is not replaced by one without a name. */
  #keepSecret(secret: Secret): void {
    const value = valueOfSecret(secret);
    if (typeof secret !== 'string' || !this.#usedSecrets.has(value)) this.#usedSecrets.set(value, secret);
  }

  #noteCapabilities(found: FoundAgent): void {
    const { name } = found.config;
    const pool = this.#pool.find(keyOf(found));
    if (pool) this.#capabilities.note(name, capabilitiesAfterCall(pool, this.#capabilities.get(name)));
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
    return resolveTask(
      task,
      this.environments,
      async name => (found ? this.#secrets.get(name, receiverOf(found), requestTo(task.agent)) : undefined),
      async names => found !== undefined && this.#consent.getVariables(names, task.agent, receiverOf(found)),
      folderOf(task.uri),
    );
  }

  async findRecorded(agent: string, kind: 'secret' | 'env', name: string): Promise<string | undefined> {
    if (!maySend()) return undefined;
    const found = (await this.#files.read()).agents.get(agent);
    if (kind === 'secret') return found && this.#secrets.get(name, receiverOf(found), requestTo(agent));
    const value = readEnv(process.env, name) ?? '';
    if (value === '') return '';
    const maySendIt = found && (await this.#consent.getVariables([name], agent, receiverOf(found)));
    return maySendIt ? value : undefined;
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

  async listSignIns(): Promise<readonly string[]> {
    const names: string[] = [];
    for (const [name, found] of (await this.#files.read()).agents) {
      const variables = { ...this.#opener.variablesFor(found, () => undefined), ...UNASKED };
      if (await isSignedIn(found.config, variables, this.#signIn)) names.push(name);
    }
    return names;
  }

  async signOut(name: string): Promise<string> {
    // Signing out asks the server to revoke the tokens.
    if (!maySend()) return UNTRUSTED;
    const { agents } = await this.#files.read();
    const found = agents.get(name);
    if (!found) return `The agent ${quote(name)} is no longer in the agents file.`;
    const { config } = found;
    const summary = await forgetSignIn(
      config,
      this.#opener.variablesFor(found, () => undefined),
      this.#signIn,
    );
    // Connections to the same server also hold its tokens.
    const url = config.type === 'http' ? config.url : '';
    for (const { config: other } of agents.values())
      if (other.type === 'http' && other.url === url) await this.disconnect(other.name);
    return summary;
  }

  override dispose(): void {
    super.dispose();
    // The host does not wait for disposal. Processes end when their input ends, or by their watchdog.
    void this.#pool.close();
  }

  /** Records the entry that is used now, because the event about its change may arrive later. */
  #noteEntry(found: FoundAgent): void {
    this.#entries.set(found.config.name, printEntry(found));
  }

  /** Closes connections to agents that were removed, and discards what was known of those that changed. */
  async #followFiles(): Promise<void> {
    const { agents } = await this.#files.read();
    this.#pool.retain(new Set([...agents.values()].map(keyOf)));
    this.#capabilities.retain(new Set(agents.keys()));
    for (const [name, found] of agents) {
      const entry = printEntry(found);
      if ((this.#entries.get(name) ?? entry) !== entry) this.#capabilities.renew(name);
      this.#entries.set(name, entry);
    }
  }

  /** Only notes are logged; heads and bytes are in the trace. */
  #listenTo(agent: string, progress: (added: string) => void): WireListener {
    return {
      head: () => undefined,
      bytes: () => undefined,
      note: text => this.#log.info(`${agent}: ${text}`),
      progress,
    };
  }
}

/** The entry of an agent without its position in the file. */
function printEntry({ config }: FoundAgent): string {
  return JSON.stringify({ ...config, span: undefined }, (_, value: unknown) =>
    value instanceof Map ? [...value] : value,
  );
}

/** What needs a secret that a request names. */
function requestTo(agent: string): string {
  return `the request to ${quote(agent)}`;
}
