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

/** Limits of a connection that users do not set; tests do. */
export interface McpLimits extends ProcessLimits, HttpLimits {
  /** Bytes that are kept of what comes for a call that has ended. */
  readonly maxLateBytes: number;
  /** Milliseconds after which a process that says nothing to `server/discover` is taken for one of an older version. */
  readonly probe: number;
  /** Milliseconds for an agent to take the end of its session. */
  readonly goodbye: number;
}

/** What a session is made from. */
export interface SessionOptions {
  readonly agent: ResolvedAgent;
  readonly library: typeof Library;
  readonly limits: McpLimits;
  readonly routes: Routes;
  readonly redactor: Redactor;
  /** Signs in to a server over HTTP that wants it. */
  readonly signIn: SignIn | undefined;
  readonly onOfferChanged: () => void;
  /** The agent ended the connection. */
  readonly onGone: (why: GoneWhy) => void;
}

/** How we try to connect, one after the other. */
type Attempt = 'auto' | 'legacy' | 'sse';

const HTTP_ERROR = 400;
const SERVER_ERROR = 500;

/** From the first message to an agent to the last. */
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

  /** True where a call would only find that the agent is gone. */
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
    return {
      version,
      ...(server ? { name: `${server.name} ${server.version}`.trim() } : {}),
      capabilities: capabilities.filter(name => name !== 'tools'),
    };
  }

  /**
   * Sends the request of a call and settles it. `lost` where the agent does not know our session any more: the request
   * was not carried out and wants a new one.
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
    if (this.#link?.hasSession() && isForgotten && call.told === undefined) {
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

  /** Tries an older version; where that fails too, the first failure is the one to tell. */
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
    const { library, agent, routes, limits, onOfferChanged, onGone } = this.#options;
    this.#closing.signal.throwIfAborted();
    const link = this.#open(attempt);
    this.#link = link;
    tapSend(link, this.#options);
    const changed = { autoRefresh: false, debounceMs: 0, onChanged: onOfferChanged };
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
        // The library would open another stream by itself, without a session.
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

  /** Some old servers end at a request that they do not know. */
  #nextOverStdio(call: McpCall, error: unknown): Attempt | undefined {
    if (readCode(error) !== 'ERA_NEGOTIATION_FAILED' || call.failure?.kind !== 'gone') return undefined;
    call.note(`${call.failure.message}. It was started anew and asked as one of an older version of MCP is`);
    return 'legacy';
  }
}

/** What to try after the agent did not take what we sent first. */
function nextOverHttp(call: McpCall, error: unknown): Attempt | undefined {
  const status = call.answer.head?.status ?? 0;
  // 400, 404 and 405 are what servers of 2024-11-05 say to a POST (MCP, "Backwards compatibility").
  if ([400, 404, 405].includes(status)) return 'sse';
  const isProbe = readCode(error) === 'ERA_NEGOTIATION_FAILED';
  return isProbe && (status >= SERVER_ERROR || (status >= 200 && status < 300)) ? 'legacy' : undefined;
}

/** Has each message that the library sends known by the call that it is sent for. */
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
    const isAsked = isRequest && method === call.asked.method;
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
    return routes.run({ call, message }, () => send(message, { ...sendOptions, ...more }));
  };
}

/** An internal error of JSON-RPC in the name of the agent: what the library waits for does not come. */
function refuse(id: McpId, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code: -32603, message } };
}

function readCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function ignore(): void {
  // It is over, whatever the agent says to it.
}
