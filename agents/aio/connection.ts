import { AIO } from '../../protocols/aio/protocol.ts';
import { randomUUID } from 'node:crypto';
import type { AgentType } from '../../core/catalog/protocols.ts';
import type { ResolvedAgent } from '../config/resolve-agent.ts';
import type { Connection, GoneWhy, Outgoing, Peer, Reply, WireListener } from '../connection.ts';
import { holdBack, notSent } from '../doubts.ts';
import { Greeting } from '../greeting.ts';
import type { HttpLimits } from '../http/http-connection.ts';
import { connectByPost } from '../http/message-connection.ts';
import { checkReply } from '../json-rpc/check-reply.ts';
import { DEFAULT_STDIO_LIMITS, type StdioLimits } from '../stdio/limits.ts';
import { fitRequest, type FittedRequest } from './fit-request.ts';
import { readHelp, toPeer, type AioHelp } from './help.ts';
import { AioProcessConnection } from './process-connection.ts';
import { TRACE_IDS, type AioTraceIds } from './trace-ids.ts';

/** What tests set. */
export interface AioOptions {
  readonly http?: HttpLimits;
  readonly stdio?: StdioLimits;
  readonly traceIds?: AioTraceIds;
  /** The time of day, for trace ids. */
  readonly now?: () => Date;
}

/**
 * A connection to an AIO agent (AIO-MCP 1.2.1; reading, section 4): over HTTP a POST of JSON, as a process one request a line
 * or, in the mode `one-shot`, one for each process. It is asked for its `help` first, and requests are made to fit what that
 * says; what the agent would not take is said before it is sent.
 */
export function connectAio(agent: ResolvedAgent, options: AioOptions = {}): Connection {
  const inner =
    agent.type === 'http'
      ? connectByPost(agent, AIO, options.http)
      : new AioProcessConnection(agent, options.stdio ?? DEFAULT_STDIO_LIMITS);
  return new AioConnection(agent, inner, options);
}

class AioConnection implements Connection {
  readonly agent: string;
  readonly protocol = AIO;
  readonly #inner: Connection;
  readonly #type: AgentType;
  readonly #greeting: Greeting<AioHelp | undefined>;
  readonly #traceIds: AioTraceIds;
  readonly #now: () => Date;
  #lastId = 0;

  constructor({ name, type, timeout }: ResolvedAgent, inner: Connection, options: AioOptions) {
    this.agent = name;
    this.#type = type;
    this.#inner = inner;
    this.#traceIds = options.traceIds ?? TRACE_IDS;
    this.#now = options.now ?? (() => new Date());
    this.#greeting = new Greeting({
      text: request => this.#writeHelp(request),
      read: reply => readHelp(reply.text),
      send: (request, listener, signal) => this.#send(request, listener, signal),
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

  async send(asked: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const request = this.#name(asked);
    const plain = this.#fit(request, undefined);
    if (!plain.ok) return notSent(plain.reason);
    if (plain.isHelp) {
      const reply = await this.#send({ ...request, wireText: plain.text }, listener, signal);
      if (reply.status === 'ok') this.#greeting.learn(reply);
      return reply;
    }
    const greeted = await this.#greeting.before(request, listener, signal);
    if (!greeted.ok) return greeted.reply;
    const fitted = this.#fit(request, this.#greeting.answer);
    if (!fitted.ok) return notSent(fitted.reason);
    const held = holdBack(fitted.doubts, request.doubtful, listener);
    if (held) return held;
    return this.#send({ ...greeted.request, wireText: fitted.text }, listener, signal);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #writeHelp(request: Outgoing): string {
    const fitted = this.#fit({ ...request, wireText: HELP }, undefined);
    return fitted.ok ? fitted.text : HELP;
  }

  /** A request that is part of no trace is one of its own: its question for help goes by the same name. */
  #name(request: Outgoing): Outgoing {
    this.#traceIds.see(request.wireText, this.#now());
    return request.names ? request : { ...request, names: { trace: randomUUID(), call: '', depth: 0 } };
  }

  #fit({ wireText, names }: Outgoing, help: AioHelp | undefined): FittedRequest {
    const trace = this.#traceIds.idOf(names?.trace ?? '', this.#now());
    return fitRequest(wireText, help, { agent: help?.name ?? this.agent, id: this.#lastId + 1, trace });
  }

  async #send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    this.#lastId++;
    const reply = await this.#inner.send(request, listener, signal);
    this.#traceIds.see(reply.text, this.#now());
    // The replies of a process were told apart by their ids.
    return this.#type === 'http' ? checkReply(request.wireText, reply, listener) : reply;
  }
}

const HELP = '{"method":"help"}';
