import { A2A } from '../../protocols/a2a/protocol.ts';
import { randomUUID } from 'node:crypto';
import { protocolRow } from '../../core/catalog/protocols.ts';
import { printForAgent } from '../../language/values/json-printer.ts';
import { CARD_REQUEST } from '../../protocols/a2a/card.ts';
import { findEntry, textIn } from '../../core/values/value.ts';
import { parseJson } from '../../core/text/json.ts';
import { quote } from '../../core/text/quote.ts';
import type { ResolvedHttpAgent } from '../config/resolve-agent.ts';
import type { Connection, Outgoing, Peer, Reply, WireListener } from '../connection.ts';
import { putRecent } from '../recent.ts';
import { notSent } from '../warnings.ts';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../http/http-connection.ts';
import { SocketPool } from '../http/socket-pool.ts';
import { A2aCall } from './call.ts';
import { findAgent, type CardFinding, type FoundAgent } from './card.ts';
import { cancelTask, followTask, readAll } from './follow-task.ts';
import type { ReplyObserver } from './reply-observer.ts';
import type * as Library from './library.ts';
import {
  nameMessage,
  readA2aRequest,
  writeDataExactly,
  writeExactly,
  type A2aRequest,
} from './request-text.ts';
import type { PushedUpdate } from './task-update.ts';

/** Limits of a connection that only tests change. */
export interface A2aLimits extends HttpLimits {
  /** Milliseconds until the agent is first asked for a running task; the pauses grow. */
  readonly firstPause: number;
  /** Milliseconds for an agent to confirm that a task is cancelled. */
  readonly goodbye: number;
}

export const DEFAULT_A2A_LIMITS: A2aLimits = { ...DEFAULT_HTTP_LIMITS, firstPause: 250, goodbye: 2_000 };

/**
 * The connection to an Agent2Agent agent, version 0.3 or 1.0, through the official client library (reading of Agent
 * API, Responses and A2A, section 6). A request is the text of a JSON-RPC request, or the one for the agent's card. A
 * message of version 1.0 is sent in the version that the agent's card names, as a stream if the card says that the
 * agent supports it; any other request is sent as written. The library writes the message; the reply is read where it
 * is observed, and is the exact text received. A task that still runs is awaited, and cancelled together with its call.
 */
export function connectA2a(agent: ResolvedHttpAgent, limits: A2aLimits = DEFAULT_A2A_LIMITS): Connection {
  return new A2aConnection(agent, limits);
}

/** The maximum number of conversations whose waiting task is known. */
const MAX_WAITING = 1_000;

class A2aConnection implements Connection {
  readonly agent: string;
  readonly protocol = A2A;
  readonly #agent: ResolvedHttpAgent;
  readonly #limits: A2aLimits;
  readonly #closing = new AbortController();
  readonly #sockets = new SocketPool();
  /** The tasks that wait for the user, by their contexts: the next message in a context continues its task. */
  readonly #waiting = new Map<string, string>();
  #library: Promise<typeof Library> | undefined;
  #found: FoundAgent | undefined;
  #version: string | undefined;

  constructor(agent: ResolvedHttpAgent, limits: A2aLimits) {
    this.agent = agent.name;
    this.#agent = agent;
    this.#limits = limits;
  }

  get peer(): Peer | undefined {
    const peer = this.#found?.peer;
    return peer && { ...(this.#version === undefined ? {} : { version: this.#version }), ...peer };
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    if (request.wireText === CARD_REQUEST) return this.#fetchCard(request, listener, signal);
    const a2aRequest = readA2aRequest(request.wireText);
    if (!a2aRequest) return notSent(NO_REQUEST);
    const options = { agent: this.#agent, limits: this.#limits, sockets: this.#sockets, request, listener };
    const library = await (this.#library ??= import('./library.ts'));
    const call = new A2aCall({ ...options, signal, closing: this.#closing.signal });
    if (!this.#found) {
      const finding = await findAgent(this.#agent, call.fetch, library);
      if (!finding.ok) return describeUnfound(finding);
      if (finding.note !== undefined) listener.note(finding.note);
      this.#found = finding.agent;
    }
    const { card } = this.#found;
    const client = await openClient(library, card, call.fetch);
    this.#version = client.protocolVersion;
    const sent = a2aRequest.isMessage
      ? await this.#sendMessage(a2aRequest, { call, client, library, listener })
      : await call.ask(ended => post(this.#addressOf(card), a2aRequest, request, call.fetch, ended));
    const followed = await followTask({ call, client, sent, a2aRequest, listener, limits: this.#limits });
    this.#remember(followed.update, listener);
    if (isGivenUp(followed.reply) && a2aRequest.isMessage && sent.hasBegun && !followed.update)
      listener.note(UNNAMED);
    if (!isGivenUp(followed.reply) || followed.update?.stage !== 'running')
      return { ...followed.reply, ...findAsked(followed.update) };
    const goodbye = { ...options, request: { ...request, timeout: this.#limits.goodbye } };
    const last = new A2aCall({ ...goodbye, signal: new AbortController().signal });
    await cancelTask(followed.update.id, {
      call: last,
      client: await openClient(library, card, last.fetch),
      listener,
    });
    return followed.reply;
  }

  close(): Promise<void> {
    this.#closing.abort();
    this.#sockets.close();
    return Promise.resolve();
  }

  /** Fetches the card again; from then on it describes the agent. */
  async #fetchCard(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const options = { agent: this.#agent, limits: this.#limits, sockets: this.#sockets, request, listener };
    const library = await (this.#library ??= import('./library.ts'));
    const call = new A2aCall({ ...options, signal, closing: this.#closing.signal });
    const finding = await findAgent(this.#agent, call.fetch, library);
    if (!finding.ok) return describeUnfound(finding);
    const { card, text } = finding.agent;
    if (text === undefined) return NO_CARD;
    this.#found = finding.agent;
    this.#version = (await openClient(library, card, call.fetch)).protocolVersion;
    return { status: 'ok', text, isProtocol: true };
  }

  /** Sends a message, which the official client writes in the version of the agent. */
  #sendMessage(
    { params, isImmediate }: A2aRequest,
    { call, client, library, listener }: Sending,
  ): Promise<ReplyObserver> {
    const contextId = textIn(findEntry(findEntry(params, 'message'), 'contextId'));
    const taskId = contextId === undefined ? undefined : this.#waiting.get(contextId);
    const named = nameMessage(params, { messageId: randomUUID(), taskId });
    if (taskId !== undefined)
      listener.note(`The message continues the task ${quote(taskId)}, which is waiting for input`);
    const write = (body: string): string =>
      client.protocolVersion === '1.0' ? writeExactly(body, named) : writeDataExactly(body, named);
    return call.ask(
      async signal => {
        const message = library.SendMessageRequest.fromJSON(parseJson(printForAgent(named)));
        if (isImmediate) await client.sendMessage(message, { signal });
        else await readAll(client.sendMessageStream(message, { signal }));
      },
      { write },
    );
  }

  #addressOf({ supportedInterfaces: [first] }: Library.AgentCard): URL {
    return URL.parse(first?.url ?? '') ?? this.#agent.url;
  }

  #remember(update: PushedUpdate | undefined, listener: WireListener): void {
    if (!update) return;
    const { id, contextId, stage, state, text } = update;
    if (stage === 'asking') {
      const words = text === '' ? '' : `: ${quote(text, LONGEST)}`;
      listener.note(
        `${ASKING[state] ?? 'The agent is waiting for input'}${words}; answer it in the same session`,
      );
    }
    if (contextId === undefined) return;
    this.#waiting.delete(contextId);
    if (stage === 'asking') putRecent(this.#waiting, contextId, id, MAX_WAITING);
  }
}

interface Sending {
  readonly call: A2aCall;
  readonly client: Library.Client;
  readonly library: typeof Library;
  readonly listener: WireListener;
}

/** An agent without a card may still accept messages. */
const NO_CARD: Reply = {
  status: 'error',
  text: '',
  isProtocol: true,
  message:
    'The agent has no card at its address, and A2A agents list their skills nowhere else; send it a task',
};

function describeUnfound({ status, code, message }: Extract<CardFinding, { ok: false }>): Reply {
  return { status, code, message, text: '', isProtocol: false };
}

const UNNAMED =
  'The agent had not reported the id of its task when the call was stopped, so no request to cancel it was sent: the task may still be running';

/** The maximum number of characters of the agent's own words in a note. */
const LONGEST = 500;

const ASKING: Readonly<Record<string, string>> = {
  'input-required': 'The agent needs more input to continue its task',
  'auth-required': 'The agent requires other credentials to continue its task',
};

/** What a task that waits for the user asks. */
function findAsked(update: PushedUpdate | undefined): Pick<Reply, 'asks'> {
  return update?.stage === 'asking' ? { asks: update.text || (ASKING[update.state] ?? '') } : {};
}

function openClient(
  library: typeof Library,
  card: Library.AgentCard,
  fetchImpl: typeof fetch,
): Promise<Library.Client> {
  const legacyCompat = { enabled: true };
  const transports = [new library.JsonRpcTransportFactory({ fetchImpl, legacyCompat })];
  return new library.ClientFactory({ transports }).createFromAgentCard(card);
}

/** Sends any other request as it is written. */
async function post(
  url: URL,
  { method }: A2aRequest,
  { wireText }: Outgoing,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<void> {
  const { accept, contentType } = protocolRow('a2a');
  const headers = {
    'Content-Type': contentType,
    Accept: accept,
    // Methods of version 0.3 have a slash in their names.
    'A2A-Version': method.includes('/') ? '0.3' : '1.0',
  };
  await fetch(url, { method: 'POST', headers, body: wireText, signal });
}

function isGivenUp({ status, code }: Reply): boolean {
  return status === 'cancelled' || code === 'TIMEOUT';
}

const NO_REQUEST =
  'an A2A agent accepts one JSON-RPC request, such as {"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"role":"ROLE_USER","parts":[{"text":"Hello"}]}}}';
