import type { Client, JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { PRODUCT } from '../../core/catalog/product.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import type { ResolvedAgent } from '../config/resolve-agent.ts';
import type { GoneWhy, Peer } from '../connection.ts';
import type { HttpLimits } from '../http/http-connection.ts';
import type { ProcessLimits } from '../stdio/agent-process.ts';
import { showCommandLine } from '../stdio/command-line.ts';
import type { SignIn } from './auth/sign-in.ts';
import { GREETINGS, type McpCall, type McpId } from './call.ts';
import { judgeFailure } from './judge.ts';
import { openHttpLink } from './http-link.ts';
import type * as Library from './library.ts';
import type { Link } from './link.ts';
import { CAPABILITIES, answerQuestions } from './questions.ts';
import { readMessageId, readMethod, type Routes } from './routes.ts';
import { NEVER, Sender } from './sender.ts';
import { StdioTransport } from './stdio-transport.ts';
import { withTraceNames } from './trace-names.ts';

/** Limits of a connection that only tests change. */
export interface McpLimits extends ProcessLimits, HttpLimits {
  /** The maximum number of bytes that are stored for a call that has ended. */
  readonly maxLateBytes: number;
  /** Milliseconds after which a process that does not answer `server/discover` counts as one of an older version. */
  readonly probe: number;
  /** Milliseconds for an agent to accept the end of its session. */
  readonly goodbye: number;
}

/** What a session needs. */
export interface SessionOptions {
  readonly agent: ResolvedAgent;
  readonly library: typeof Library;
  readonly limits: McpLimits;
  readonly routes: Routes;
  readonly redactor: Redactor;
  /** Signs in to a server over HTTP that requires it. */
  readonly signIn: SignIn | undefined;
  readonly onCapabilitiesChanged: () => void;
  /** Called when the agent has ended the connection. */
  readonly onGone: (why: GoneWhy) => void;
}

/** The ways to connect, which are tried one after the other. */
type Attempt = 'auto' | 'legacy' | 'sse';

const HTTP_ERROR = 400;
const SERVER_ERROR = 500;

/** A session with an agent, from the first message to the last. */
export class McpSession {
  readonly #options: SessionOptions;
  readonly #closing = new AbortController();
  #connecting: Promise<void> | undefined;
  #client: Client | undefined;
  #sender: Sender | undefined;
  #link: Link | undefined;
  #isLost = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** True if a call would only find that the agent is gone. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** True once the agent has agreed on a version. */
  get isConnected(): boolean {
    return this.#client !== undefined && !this.#isLost;
  }

  get peer(): Peer | undefined {
    const client = this.#client;
    const version = client?.getNegotiatedProtocolVersion();
    if (!client || version === undefined) return undefined;
    const server = client.getServerVersion();
    const capabilities = Object.keys(client.getServerCapabilities() ?? {});
    const instructions = client.getInstructions();
    return {
      version,
      ...(server
        ? {
            name: `${server.name} ${server.version}`.trim(),
            product: { name: server.name, version: server.version, about: server },
          }
        : {}),
      ...(instructions === undefined ? {} : { instructions }),
      capabilities: capabilities.filter(name => name !== 'tools'),
    };
  }

  /**
   * Sends the request of a call and settles it. Returns `lost` if the agent no longer knows our session: the
   * request was not carried out and requires a new one.
   */
  async ask(call: McpCall): Promise<'done' | 'lost'> {
    try {
      await (this.#connecting ??= this.#options.routes.run({ call }, () => this.#connect(call)));
    } catch (error) {
      this.#isLost = true;
      await this.close();
      if (call.isOpen) call.settle(judgeFailure(call, this.#options, error));
      return 'done';
    }
    const sender = this.#sender;
    if (!sender || !call.isOpen) return 'done';
    const sent = await this.#options.routes.run({ call }, () => sender.send(call));
    if (sent.ok || !call.isOpen) return 'done';
    return this.#fail(call, sent.error);
  }

  /** Ends the session, and the process. */
  async close(): Promise<void> {
    const link = this.#link;
    this.#isLost = true;
    this.#link = undefined;
    if (link?.hasSession()) {
      const goodbye = new Promise(resolve => setTimeout(resolve, this.#options.limits.goodbye).unref());
      await Promise.race([link.endSession().catch(ignore), goodbye]);
    }
    this.#closing.abort();
    await this.#client?.close().catch(ignore);
    await link?.transport.close().catch(ignore);
  }

  #fail(call: McpCall, error: unknown): 'done' | 'lost' {
    const { head, body } = call.answer;
    const isForgotten = head?.status === 404 || (head?.status === HTTP_ERROR && /session/i.test(body));
    if (this.#link?.hasSession() && isForgotten && call.reported === undefined) {
      this.#isLost = true;
      return 'lost';
    }
    if (call.failure?.kind === 'unreachable' || call.failure?.kind === 'gone') this.#isLost = true;
    call.settle(judgeFailure(call, this.#options, error));
    return 'done';
  }

  async #connect(call: McpCall): Promise<void> {
    const { agent } = this.#options;
    try {
      await this.#attempt('auto');
    } catch (error) {
      const next = agent.type === 'http' ? nextOverHttp(call, error) : this.#nextOverStdio(call, error);
      if (next === undefined || !call.isOpen) throw error;
      await this.#fallBack(call, next, error);
    }
  }

  /** Tries an older version; if that fails too, the first failure is reported. */
  async #fallBack(call: McpCall, attempt: Attempt, error: unknown): Promise<void> {
    const first = judgeFailure(call, this.#options, error);
    try {
      await this.#attempt(attempt);
    } catch (next) {
      if (attempt === 'legacy' && nextOverHttp(call, next) === 'sse' && this.#options.agent.type === 'http')
        return this.#fallBack(call, 'sse', next);
      if (attempt === 'sse') call.settle(first);
      throw next;
    }
  }

  async #attempt(attempt: Attempt): Promise<void> {
    await this.#link?.transport.close().catch(ignore);
    const { library, agent, routes, limits, onCapabilitiesChanged, onGone } = this.#options;
    this.#closing.signal.throwIfAborted();
    const link = this.#open(attempt);
    this.#link = link;
    tapSend(link, this.#options);
    const changed = { autoRefresh: false, debounceMs: 0, onChanged: onCapabilitiesChanged };
    const client = new library.Client(
      { name: PRODUCT.name, title: PRODUCT.title, version: PRODUCT.version },
      {
        capabilities: CAPABILITIES,
        listChanged: { tools: changed, prompts: changed, resources: changed },
        versionNegotiation: {
          mode: attempt === 'auto' ? 'auto' : 'legacy',
          probe: { timeoutMs: agent.type === 'stdio' ? limits.probe : NEVER },
        },
      },
    );
    answerQuestions(client, agent.name, routes);
    client.onclose = () => {
      this.#isLost = this.#client === client;
      if (this.#isLost && !this.#closing.signal.aborted) onGone(link.whyGone?.() ?? 'ended');
    };
    await client.connect(link.transport, { timeout: NEVER, signal: this.#closing.signal });
    this.#client = client;
    this.#sender = new Sender(client, agent.type);
  }

  #open(attempt: Attempt): Link {
    const { agent, library, limits, routes, redactor, signIn } = this.#options;
    if (agent.type === 'http')
      return openHttpLink(library, attempt === 'sse' ? 'sse' : 'streamable', {
        agent,
        limits,
        routes,
        signIn,
        // Otherwise the library would open another stream, without a session.
        onStreamEnd: () => void this.#link?.transport.close().catch(ignore),
      });
    const line = redactor.redactText(showCommandLine(agent.command, agent.args));
    const parse = library.parseJSONRPCMessage;
    const transport = new StdioTransport({ agent, redactor, line, limits, routes, parse });
    return {
      transport,
      hasSession: () => false,
      endSession: () => Promise.resolve(),
      whyGone: () => transport.whyGone,
    };
  }

  /** Some old servers end when they receive an unknown request. */
  #nextOverStdio(call: McpCall, error: unknown): Attempt | undefined {
    if (readCode(error) !== 'ERA_NEGOTIATION_FAILED' || call.failure?.kind !== 'gone') return undefined;
    call.note(`${call.failure.message}. The agent was restarted and contacted with an older version of MCP`);
    return 'legacy';
  }
}

/** The way to try next after the agent rejected our first message. */
function nextOverHttp(call: McpCall, error: unknown): Attempt | undefined {
  const status = call.answer.head?.status ?? 0;
  // Servers of 2024-11-05 reply to a POST with 400, 404 or 405 (MCP, "Backwards compatibility").
  if ([400, 404, 405].includes(status)) return 'sse';
  const isProbe = readCode(error) === 'ERA_NEGOTIATION_FAILED';
  return isProbe && (status >= SERVER_ERROR || (status >= 200 && status < 300)) ? 'legacy' : undefined;
}

/** Associates each message that the library sends with the call that it is sent for. */
function tapSend({ transport }: Link, options: SessionOptions): void {
  const { routes } = options;
  const send = transport.send.bind(transport);
  transport.send = (message: JSONRPCMessage, sendOptions?: TransportSendOptions) => {
    const id = readMessageId(message);
    const method = readMethod(message);
    const call = method === undefined ? routes.current : (routes.sending?.call ?? routes.current);
    if (!call) return send(message, sendOptions);
    const isRequest = id !== undefined && method !== undefined;
    if (isRequest) routes.own(id, call, method, words => transport.onmessage?.(refuse(id, words)));
    const isAsked = isRequest && method === call.parsed.method;
    const more: TransportSendOptions = isAsked
      ? {
          requestSignal: sendOptions?.requestSignal
            ? AbortSignal.any([call.ended, sendOptions.requestSignal])
            : call.ended,
          onRequestStreamEnd: () =>
            call.isUnanswered(id) && call.settle(judgeFailure(call, options, undefined)),
        }
      : isRequest && GREETINGS.has(method)
        ? { onRequestStreamEnd: () => call.endUnanswered(id) }
        : {};
    // The requests that the library sends first belong to the trace of the call that needs them.
    const named = isRequest && !isAsked ? nameGreeting(message, call, options) : message;
    return routes.run({ call, message: named }, () => send(named, { ...sendOptions, ...more }));
  };
}

function nameGreeting(
  message: JSONRPCMessage,
  { request }: McpCall,
  { agent }: SessionOptions,
): JSONRPCMessage {
  if (!('method' in message)) return message;
  const params = withTraceNames(message.params, request, agent.type);
  return params === undefined ? message : { ...message, params };
}

/** An internal error of JSON-RPC in the name of the agent: what the library waits for does not arrive. */
function refuse(id: McpId, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}

function readCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function ignore(): void {
  // The session is over, whatever the agent replies.
}
