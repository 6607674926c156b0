import { NULL, type DictValue, type Value } from '../../core/values/value.ts';
import { answerBatch } from '../serving/batch.ts';
import { ServerCodec } from '../serving/codec.ts';
import type {
  CallerReply,
  CallerRequest,
  LineServer,
  ProtocolServer,
  Serve,
  ServedAgent,
  ServerHost,
} from '../serving/serving.ts';
import { MCP_MESSAGES } from './messages.ts';
import { Changes } from './server/changes.ts';
import { CODES, codeOf, fail, readCallerMessage, writeAnswer, type CallerMessage } from './server/frames.ts';
import { noteUnused } from './server/caller.ts';
import { HttpChannel } from './server/http-channel.ts';
import { LegacyMessages, LegacySession } from './server/legacy.ts';
import { McpLines } from './server/lines.ts';
import { McpMethods } from './server/methods.ts';
import { ModernMessages } from './server/modern.ts';
import type { McpParts } from './server/parts.ts';
import { BATCH_VERSIONS, LEGACY_VERSIONS, readClaim, UNNAMED_VERSION } from './server/versions.ts';

/** The path of the endpoint. */
const MCP_PATH = '/mcp';

const SESSION = 'mcp-session-id';
/** The maximum number of sessions; the oldest one ends when another begins. */
const MAX_SESSIONS = 256;

/** Serves an agent as an MCP server, in every version: over Streamable HTTP, or as lines of a process. */
export const serveMcp: Serve = (agent, host) => new McpServer(agent, host);

const NO_JSON = 'The body is not JSON; send one message of JSON-RPC';

class McpServer implements ProtocolServer {
  readonly path = MCP_PATH;
  readonly #parts: McpParts;
  readonly #sessions = new Map<string, LegacySession>();

  constructor(agent: ServedAgent, host: ServerHost) {
    const codec = new ServerCodec(MCP_MESSAGES, host.protocols);
    const methods = new McpMethods(agent, codec);
    const changes = new Changes();
    agent.onOfferChanged(() => changes.report());
    const legacy = new LegacyMessages(methods, host);
    this.#parts = { agent, codec, changes, legacy, modern: new ModernMessages(methods, host), host };
  }

  openLines(send: (line: string) => void): LineServer {
    return new McpLines(this.#parts, send);
  }

  async answer(request: CallerRequest, reply: CallerReply): Promise<void> {
    const channel = new HttpChannel(request, reply, this.#parts.codec);
    if (request.path.replace(/\/$/, '') !== MCP_PATH)
      return reply.send(404, 'text/plain', `There is nothing here; the endpoint is ${MCP_PATH}`);
    if (request.method === 'GET') return this.#openStream(channel);
    if (request.method === 'DELETE') return this.#endSession(channel);
    const value = this.#parts.codec.parse(request.body);
    if (!value)
      return refuse(channel, 400, CODES.parse, this.#parts.codec.describeFault(request.body, NO_JSON));
    if (value.kind === 'list') return this.#takeBatch(value.items, channel);
    const message = readCallerMessage(value);
    if (!message)
      return refuse(channel, 400, CODES.invalidRequest, 'The body is not a message of JSON-RPC 2.0');
    const claim = message.kind === 'answer' ? undefined : readClaim(message, request);
    if (claim?.kind === 'fault') {
      const id = message.kind === 'request' ? message.id : NULL;
      return channel.end(writeAnswer(id, claim.answer), 400);
    }
    if (claim?.kind === 'modern' && message.kind !== 'answer')
      return this.#takeModern(message, claim.capabilities, channel);
    return this.#takeLegacy(message, channel);
  }

  async #takeModern(
    message: Exclude<CallerMessage, { kind: 'answer' }>,
    capabilities: DictValue,
    channel: HttpChannel,
  ): Promise<void> {
    // A caller cancels a request by closing its connection.
    if (message.kind === 'notification') {
      noteUnused(message.method, channel);
      return channel.close();
    }
    const { id, method, params } = message;
    if (method === 'subscriptions/listen') return this.#listen(id, params, channel);
    const answer = await this.#parts.modern.answer(method, params, capabilities, channel);
    channel.end(writeAnswer(id, answer), codeOf(answer) === CODES.noMethod ? 404 : 200);
  }

  async #listen(id: Value, params: DictValue, channel: HttpChannel): Promise<void> {
    const { agent, changes } = this.#parts;
    const { send, request } = channel;
    if (!send) return refuse(channel, 406, CODES.invalidRequest, NEEDS_EVENTS, id);
    const listening = changes.subscribe(id, params, await agent.offer(request), send);
    if (!listening)
      return refuse(channel, 200, CODES.invalidParameters, "'notifications' is missing, an object", id);
    send(listening.acknowledgement);
    await ended(channel);
    listening.end();
  }

  async #takeLegacy(message: CallerMessage, channel: HttpChannel): Promise<void> {
    const session = this.#findSession(channel);
    if (session === 'refused') return;
    const { legacy, host } = this.#parts;
    const begun =
      message.kind === 'request' && message.method === 'initialize'
        ? new LegacySession(host.newId(), message.params)
        : undefined;
    if (begun) this.#keep(begun);
    const answer = await legacy.take(message, begun ?? session, channel);
    // A cancelled request ends as a stream without a message.
    if (!answer && message.kind === 'request') channel.open();
    if (!answer) return channel.close();
    channel.end(answer, 200, begun ? { [SESSION]: begun.id } : {});
  }

  async #takeBatch(items: readonly Value[], channel: HttpChannel): Promise<void> {
    const session = this.#findSession(channel);
    if (session === 'refused') return;
    const version = session?.version ?? channel.request.header('mcp-protocol-version') ?? UNNAMED_VERSION;
    if (!BATCH_VERSIONS.has(version))
      return refuse(
        channel,
        400,
        CODES.invalidRequest,
        `MCP ${version} has no batches; send one message per request`,
      );
    const messages = items.map(readCallerMessage);
    const read = messages.filter(message => message !== undefined);
    const isRefused = read.some(
      message =>
        message.kind === 'request' &&
        (message.method === 'initialize' || readClaim(message, channel.request).kind !== 'legacy'),
    );
    if (read.length === 0 || read.length < items.length || isRefused)
      return refuse(
        channel,
        400,
        CODES.invalidRequest,
        'A batch has messages of JSON-RPC 2.0, at least one, without initialize and requests of 2026-07-28',
      );
    const answers = await answerBatch(
      read,
      message => this.#parts.legacy.take(message, session, channel),
      ({ kind }) => kind === 'request',
    );
    const sent = answers.filter(answer => answer !== undefined);
    if (sent.length === 0) channel.close();
    else channel.end(sent);
  }

  /** The session of a request; undefined for one without. Refuses a request of an unknown session or version. */
  #findSession(channel: HttpChannel): LegacySession | undefined | 'refused' {
    const { request } = channel;
    const version = request.header('mcp-protocol-version');
    if (version !== undefined && !LEGACY_VERSIONS.includes(version)) {
      const known = LEGACY_VERSIONS.join(', ');
      refuse(
        channel,
        400,
        CODES.invalidRequest,
        `Bad Request: Unsupported protocol version ${version} (supported versions: ${known})`,
      );
      return 'refused';
    }
    const id = request.header(SESSION);
    if (id === undefined) return undefined;
    const session = this.#sessions.get(id);
    if (session) return session;
    refuse(channel, 404, CODES.invalidRequest, 'Session not found; begin a new one with initialize');
    return 'refused';
  }

  #keep(session: LegacySession): void {
    this.#sessions.set(session.id, session);
    const [oldest] = this.#sessions.values();
    if (this.#sessions.size <= MAX_SESSIONS || !oldest) return;
    this.#sessions.delete(oldest.id);
    oldest.end();
  }

  /** The stream of a session for messages that belong to no request. */
  async #openStream(channel: HttpChannel): Promise<void> {
    const session = this.#findSession(channel);
    if (session === 'refused') return;
    if (!session)
      return refuse(channel, 405, CODES.invalidRequest, 'Only a session has a stream; begin with initialize');
    const { send } = channel;
    if (!send) return refuse(channel, 406, CODES.invalidRequest, NEEDS_EVENTS);
    if (session.closeStream)
      return refuse(channel, 409, CODES.invalidRequest, 'The session has an open stream already');
    channel.open();
    const remove = this.#parts.changes.add(send);
    session.closeStream = () => channel.close();
    await ended(channel);
    remove();
    session.closeStream = undefined;
  }

  #endSession(channel: HttpChannel): void {
    const session = this.#findSession(channel);
    if (session === 'refused') return;
    if (!session) return refuse(channel, 400, CODES.invalidRequest, 'The header Mcp-Session-Id is missing');
    this.#sessions.delete(session.id);
    session.end();
    channel.end({ kind: 'dict', entries: [] });
  }
}

const NEEDS_EVENTS = 'A stream needs the header Accept: text/event-stream';

function refuse(channel: HttpChannel, status: number, code: number, text: string, id: Value = NULL): void {
  channel.end(writeAnswer(id, fail(code, text)), status);
}

/** Resolves when the caller has gone. */
function ended({ request }: HttpChannel): Promise<void> {
  return new Promise(resolve => {
    if (request.gone.aborted) resolve();
    request.gone.addEventListener('abort', resolve);
  });
}
