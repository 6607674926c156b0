import { MCP } from '../../protocols/mcp/protocol.ts';
import { Redactor } from '../../core/secrets/redact.ts';
import { NOT_SENT } from '../../core/events/events.ts';
import type { ResolvedAgent } from '../config/resolve-agent.ts';
import type { Connection, GoneWhy, Outgoing, Peer, Reply, WireListener } from '../connection.ts';
import { DEFAULT_HTTP_LIMITS } from '../http/http-connection.ts';
import { DEFAULT_PROCESS_LIMITS } from '../stdio/agent-process.ts';
import { showCommandLine } from '../stdio/command-line.ts';
import { describeCancelled, describeTimeout } from '../stdio/failure.ts';
import type { SignInHost } from '../sign-in-host.ts';
import { openMemoryHost } from './auth/memory-host.ts';
import { SignIn } from './auth/sign-in.ts';
import { McpCall } from './call.ts';
import type { McpCallTerms } from './call-terms.ts';
import { httpSentences } from './http-link.ts';
import type * as Library from './library.ts';
import { readMcpRequest } from './request-text.ts';
import { Routes } from './routes.ts';
import { McpSession, type McpLimits } from './session.ts';

export const DEFAULT_MCP_LIMITS: McpLimits = {
  ...DEFAULT_PROCESS_LIMITS,
  ...DEFAULT_HTTP_LIMITS,
  maxLateBytes: 2 ** 20,
  probe: 5_000,
  goodbye: 2_000,
};

export interface McpOptions {
  readonly limits?: McpLimits;
  /**
   * How the user signs in to servers over HTTP that require it. Without it the user is not asked, and nothing
   * outlives the connection.
   */
  readonly signIn?: SignInHost;
}

/**
 * The connection to an MCP server, over Streamable HTTP or as a process, in any version of MCP that the
 * official client library supports (reading of OpenStarry and MCP, section 5). A request is the text of a
 * JSON-RPC request, whose id the connection assigns. Its parameters are sent exactly as written, with the
 * names of the trace in `_meta`; the reply is the exact text of the answer. The library is loaded and the
 * connection made at the first request; both are retained.
 */
export function connectMcp(agent: ResolvedAgent, options: McpOptions = {}): Connection {
  return new McpConnection(agent, options);
}

class McpConnection implements Connection {
  readonly agent: string;
  readonly protocol = MCP;
  readonly #agent: ResolvedAgent;
  readonly #options: McpOptions;
  readonly #limits: McpLimits;
  readonly #redactor: Redactor;
  readonly #routes = new Routes();
  readonly #changed = new Set<() => void>();
  readonly #gone = new Set<(why: GoneWhy) => void>();
  readonly #sessions = new Set<McpSession>();
  #signIn: SignIn | undefined;
  #session: Promise<McpSession> | undefined;
  /** The newest session. */
  #latest: McpSession | undefined;
  #wasConnected = false;
  #isClosed = false;

  constructor(agent: ResolvedAgent, options: McpOptions) {
    this.agent = agent.name;
    this.#agent = agent;
    this.#options = options;
    this.#limits = options.limits ?? DEFAULT_MCP_LIMITS;
    this.#redactor = new Redactor(agent.secrets);
  }

  get peer(): Peer | undefined {
    return this.#latest?.peer;
  }

  onCapabilitiesChanged(changed: () => void): () => void {
    this.#changed.add(changed);
    return () => this.#changed.delete(changed);
  }

  onGone(gone: (why: GoneWhy) => void): () => void {
    this.#gone.add(gone);
    return () => this.#gone.delete(gone);
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const parsed = readMcpRequest(request.wireText);
    if (!parsed) return { status: 'error', code: NOT_SENT, message: NO_REQUEST, text: '', isProtocol: false };
    const call = new McpCall(request, parsed, this.#terms(request), listener);
    const cancel = (): void => call.cancel();
    if (signal.aborted || this.#isClosed) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    this.#routes.begin(call);
    try {
      // A call that has ended does not wait for what continues after it.
      this.#ask(call).catch((error: unknown) => call.settle(describeBreak(error)));
      return await call.reply;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#routes.open) call.cancel();
    this.#session = undefined;
    await Promise.all([...this.#sessions].map(session => session.close()));
  }

  async #ask(call: McpCall): Promise<void> {
    for (let attempt = 0; attempt < 2 && call.isOpen; attempt++) {
      const session = await this.#findSession(call);
      this.#abandonWithout(session, call);
      const outcome = await session.ask(call);
      this.#wasConnected ||= session.isConnected || session.peer !== undefined;
      if (session.isLost) await this.#drop(session);
      if (outcome === 'done') return;
      this.#wasConnected = false;
      call.note(
        'The agent no longer knows the session; a new one was started, and the request was sent again',
      );
    }
  }

  /** The current session, or a new one. */
  async #findSession(call: McpCall): Promise<McpSession> {
    const current = await this.#session;
    if (current && !current.isLost) return current;
    if (current) await this.#drop(current);
    if (this.#wasConnected) call.note('The connection to the agent had ended, so Parley reconnected');
    this.#session ??= this.#open();
    return this.#session;
  }

  async #open(): Promise<McpSession> {
    const library = await import('./library.ts');
    const session = new McpSession({
      agent: this.#agent,
      library,
      limits: this.#limits,
      routes: this.#routes,
      redactor: this.#redactor,
      signIn: (this.#signIn ??= this.#openSignIn(library)),
      onCapabilitiesChanged: () => {
        for (const changed of this.#changed) changed();
      },
      onGone: why => {
        for (const gone of this.#gone) gone(why);
      },
    });
    this.#sessions.add(session);
    this.#latest = session;
    if (this.#isClosed) await session.close();
    return session;
  }

  /** No sign-in is used for an agent with an Authorization header of its own. */
  #openSignIn(library: typeof Library): SignIn | undefined {
    const agent = this.#agent;
    if (agent.type !== 'http' || [...agent.headers.keys()].some(name => /^authorization$/i.test(name)))
      return undefined;
    return new SignIn(agent, this.#options.signIn ?? openMemoryHost(), library);
  }

  /** Closes a session that is not connected yet when the last call that waits for it has ended. */
  #abandonWithout(session: McpSession, call: McpCall): void {
    void call.reply.then(() => {
      if (!session.isConnected && this.#routes.open.size === 0) void this.#drop(session);
    });
  }

  async #drop(session: McpSession): Promise<void> {
    const current = this.#session;
    if (current && (await current) === session && this.#session === current) this.#session = undefined;
    await session.close();
    this.#sessions.delete(session);
  }

  #terms(request: Outgoing): McpCallTerms {
    const total = request.timeout ?? this.#agent.timeout;
    const { maxLateBytes, idle } = this.#limits;
    // A time-out for the whole call is also the limit for silence.
    return { total, idle: total ?? idle, maxLateBytes, ...this.#sentences(request) };
  }

  #sentences(request: Outgoing): Pick<McpCallTerms, 'describeTimeout' | 'describeCancelled'> {
    const agent = this.#agent;
    if (agent.type === 'http') return httpSentences(agent);
    const redactor = request.redactor ?? this.#redactor;
    const line = redactor.redactText(showCommandLine(agent.command, agent.args));
    const about = { line, messages: 0, isCut: false, foreign: '' };
    return {
      describeTimeout: (kind, limit) => describeTimeout(kind, limit, about),
      describeCancelled: () => describeCancelled(about),
    };
  }
}

const NO_REQUEST =
  'Not sent: an MCP server accepts one JSON-RPC request, such as {"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/** The agent is not at fault: a file of ours is missing, for example the library. */
function describeBreak(error: unknown): Reply {
  const reported = error instanceof Error ? error.message : 'it does not say why';
  const message = `The request was not sent, because Parley failed: ${reported}; reinstall it, or report this`;
  return { status: 'error', code: NOT_SENT, message, text: '', isProtocol: false };
}
