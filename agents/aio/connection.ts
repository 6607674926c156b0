import { AIO } from '../../protocols/aio/protocol.ts';
import { randomUUID } from 'node:crypto';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { ResolvedAgent } from '../config/resolve-agent.ts';
import type { Message } from '../../core/message/message.ts';
import {
  withoutProgress,
  type Connection,
  type GoneWhy,
  type Outgoing,
  type Peer,
  type Reply,
  type WireListener,
} from '../connection.ts';
import { holdBack, notSent } from '../warnings.ts';
import { Greeting } from '../greeting.ts';
import { HttpConnection, type HttpLimits } from '../http/http-connection.ts';
import { DEFAULT_STDIO_LIMITS, type StdioLimits } from '../stdio/limits.ts';
import { fitRequest, type FittedRequest } from './fit-request.ts';
import { readHelp, toPeer, type AioHelp } from './help.ts';
import { AioProcessConnection } from './process-connection.ts';
import { TRACE_IDS, type AioTraceIds } from './trace-ids.ts';

/** Options that only tests set. */
export interface AioOptions {
  readonly http?: HttpLimits;
  readonly stdio?: StdioLimits;
  readonly traceIds?: AioTraceIds;
  /** The current time, for trace ids. */
  readonly now?: () => Date;
}

/**
 * A connection to an AIO agent (AIO-MCP 1.2.1; reading, section 4): over HTTP each request is a POST of JSON; a process
 * gets one request per line or, in the mode `one-shot`, one request per process. The agent is first asked for its
 * `help`, and requests are adapted to it; what the agent would not accept is reported before it is sent.
 */
export function connectAio(agent: ResolvedAgent, options: AioOptions = {}): Connection {
  const inner =
    agent.type === 'http'
      ? new HttpConnection(agent, AIO, options.http)
      : new AioProcessConnection(agent, options.stdio ?? DEFAULT_STDIO_LIMITS);
  return new AioConnection(agent, inner, options);
}

class AioConnection implements Connection {
  readonly agent: string;
  readonly protocol = AIO;
  readonly #inner: Connection;
  /** True where several calls share a process, so that only their ids distinguish their replies. */
  readonly #sharesProcess: boolean;
  readonly #greeting: Greeting<AioHelp | undefined>;
  readonly #traceIds: AioTraceIds;
  readonly #now: () => Date;
  #lastId = 0;

  constructor(agent: ResolvedAgent, inner: Connection, options: AioOptions) {
    const { name, timeout } = agent;
    this.agent = name;
    this.#sharesProcess = agent.type === 'stdio' && agent.mode !== 'one-shot';
    this.#inner = inner;
    this.#traceIds = options.traceIds ?? TRACE_IDS;
    this.#now = options.now ?? (() => new Date());
    this.#greeting = new Greeting({
      text: request => this.#writeHelp(request),
      read: reply => readHelp(reply.text),
      send: (request, listener, signal) => this.#sendHelp(request, listener, signal),
      timeout,
    });
  }

  get peer(): Peer | undefined {
    const help = this.#greeting.answer;
    return help && toPeer(help);
  }

  onGone(gone: (why: GoneWhy) => void): () => void {
    return this.#inner.onGone?.(gone) ?? (() => undefined);
  }

  async send(outgoing: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const request = { ...outgoing, names: outgoing.names ?? { trace: randomUUID(), call: '', depth: 0 } };
    const plain = this.#fit(request, undefined);
    if (!plain.ok) return notSent(plain.reason);
    if (plain.isHelp) {
      const reply = await this.#send(request, plain, listener, signal);
      if (reply.status === 'ok') this.#greeting.learn(reply);
      return reply;
    }
    // The request for help must not take the id that the request was written with.
    if (plain.hasOwnId) this.#traceIds.take(plain.trace, plain.id);
    const greeted = await this.#greeting.before(request, listener, signal);
    if (!greeted.ok) return greeted.reply;
    const fitted = this.#fit(request, this.#greeting.answer);
    if (!fitted.ok) return notSent(fitted.reason);
    const held = holdBack(fitted.warnings, request.warningPolicy, listener);
    if (held) return held;
    return isListOfTools(fitted.text) && hasOwnMethods(this.#greeting.answer)
      ? this.#listTools(greeted.request, fitted, listener, signal)
      : this.#send(greeted.request, fitted, listener, signal);
  }

  /** Lists the tools of an agent with methods of its own: these, if its list is empty. */
  async #listTools(
    request: Outgoing,
    fitted: FittedRequest & { readonly ok: true },
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<Reply> {
    const held: Message[] = [];
    const hold = (messages: readonly Message[]): void => void held.push(...messages);
    const messages = listener.messages && { ...listener.messages, take: hold, takeLast: hold };
    const quiet = { ...withoutProgress(listener), ...(messages ? { messages } : {}) };
    const reply = await this.#send(request, fitted, quiet, signal);
    if (isEmptyList(reply)) {
      listener.note(
        "The agent's list of tools is empty; its own methods, which its help lists, are its tools",
      );
      return this.#sendHelp({ ...request, wireText: this.#writeHelp(request) }, listener, signal);
    }
    listener.progress(reply.text);
    listener.messages?.takeLast(held);
    return reply;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** The request for help has the trace of the request that needs it. */
  #writeHelp(request: Outgoing): string {
    const fitted = this.#fit(request, undefined);
    return JSON.stringify({ method: 'help', ...(fitted.ok ? { trace_id: fitted.trace } : {}) });
  }

  async #sendHelp(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const fitted = this.#fit({ ...request, isConverted: true }, undefined);
    return fitted.ok ? this.#send(request, fitted, listener, signal) : notSent(fitted.reason);
  }

  #fit(request: Outgoing, help: AioHelp | undefined): FittedRequest {
    const { wireText, isConverted } = request;
    return fitRequest(wireText, help, {
      agent: help?.name ?? this.agent,
      // A trace id that a caller brought is passed on.
      findTrace: () => request.names?.ofMessage ?? this.#traceIds.idOf(nameTask(request), this.#now()),
      freeId: trace => this.#traceIds.freeIn(trace, this.#sharesProcess ? this.#lastId + 1 : 1),
      keepsId: isConverted !== true,
    });
  }

  async #send(
    request: Outgoing,
    { text, trace, id }: FittedRequest & { readonly ok: true },
    listener: WireListener,
    signal: AbortSignal,
  ): Promise<Reply> {
    this.#traceIds.take(trace, id);
    this.#lastId = Math.max(this.#lastId, id);
    return this.#inner.send({ ...request, wireText: text }, listener, signal);
  }
}

/** The methods of the document. */
const METHODS: ReadonlySet<string> = new Set(
  AIO.calls
    .listMethods?.(['resources', 'prompts', 'tools', 'sampling'])
    .flatMap(({ name }) => [name, name.replace('.', '_')]),
);

/** True for an agent whose help lists methods besides those of the document. */
function hasOwnMethods(help: AioHelp | undefined): boolean {
  return [...(help?.methods ?? [])].some(name => !METHODS.has(name));
}

function isListOfTools(request: string): boolean {
  const method = readFields(parseJson(request))?.get('method');
  return typeof method === 'string' && /::tools[._]list$/.test(method);
}

/** True for a list of tools that is empty. */
function isEmptyList({ status, text }: Reply): boolean {
  const reply = readFields(parseJson(text));
  return ['result', 'output'].some(key => {
    const tools = readFields(reply?.get(key))?.get('tools');
    return status === 'ok' && Array.isArray(tools) && tools.length === 0;
  });
}

/** The task of a request: its session in the file, over all agents, or the trace that it begins. */
function nameTask({ session, source, names }: Outgoing): string {
  return session === undefined ? (names?.trace ?? '') : `${source?.uri ?? ''}\n${session}`;
}
