import { textIn } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import { PartPrinter } from '../../language/values/json-printer.ts';
import { ServerCodec } from '../serving/codec.ts';
import { EVENTS_TYPE, JSON_TYPE, writeEvent } from '../serving/http-replies.ts';
import type {
  CallerReply,
  CallerRequest,
  ProtocolServer,
  Serve,
  ServedAgent,
  ServerHost,
} from '../serving/serving.ts';
import { printEvent, type AgentApiEvent } from './builder/events.ts';
import { ResponseBuilder } from './builder/response-builder.ts';
import { AGENT_API_MESSAGES } from './messages.ts';
import { AGENT_API_PATH } from './protocol.ts';
import { printParts } from './server/print-parts.ts';
import { OpenResponse } from './server/open-response.ts';
import { readAgentRequest, type AgentRequest } from './server/read-request.ts';
import { RecentSessions } from './server/recent-sessions.ts';

/** Serves an agent as AgentScope's Agent API: `POST /process`, answered by events or by one response. */
export const serveAgentApi: Serve = (agent, host) => new AgentApiServer(agent, host);

class AgentApiServer implements ProtocolServer {
  readonly path = AGENT_API_PATH;
  readonly #agent: ServedAgent;
  readonly #host: ServerHost;
  readonly #codec: ServerCodec;
  readonly #sessions = new RecentSessions();

  constructor(agent: ServedAgent, host: ServerHost) {
    this.#agent = agent;
    this.#host = host;
    this.#codec = new ServerCodec(AGENT_API_MESSAGES, host.protocols);
  }

  async answer(request: CallerRequest, reply: CallerReply): Promise<void> {
    const { path, method } = request;
    if (path !== AGENT_API_PATH || method !== 'POST') {
      const detail = `There is nothing at ${method} ${quote(path, 80)}; send POST ${AGENT_API_PATH}`;
      return reply.send(path === AGENT_API_PATH ? 405 : 404, JSON_TYPE, JSON.stringify({ detail }));
    }
    const read = readAgentRequest(request.body, this.#codec);
    if (!read.ok) return sendError(reply, read, read.error);
    const { session, previous } = read.request;
    const known = previous === undefined ? undefined : this.#sessions.get(previous);
    if (previous !== undefined && session === undefined && known === undefined)
      return sendError(
        reply,
        read.request,
        `There is no response ${quote(previous, 80)} to continue: send a session_id`,
      );
    return this.#run(read.request, session ?? known ?? this.#host.newId(), request, reply);
  }

  async #run(
    asked: AgentRequest,
    session: string,
    request: CallerRequest,
    reply: CallerReply,
  ): Promise<void> {
    const { newId, now } = this.#host;
    let last: AgentApiEvent | undefined;
    const printer = new PartPrinter();
    const builder = new ResponseBuilder({
      newId: prefix => prefix + newId(),
      now: () => Math.floor(now() / 1000),
      sessionId: session,
      emit: event => {
        last = event;
        if (asked.isStream) writeEvent(reply, printParts(event, printer));
      },
    });
    const response = new OpenResponse({ builder, codec: this.#codec, isStream: asked.isStream }, reply);
    const call = this.#agent.call(asked.asked, {
      request,
      session,
      begun: () => response.begin(),
      take: chunks => response.take(chunks),
      takesItems: true,
      drained: () => reply.drained(),
    });
    const served = await call.reply;
    if (served.failure === 'busy' && !response.hasBegun)
      return sendError(reply, asked, textIn(served.message.fields.text) ?? 'The agent is busy');
    response.end(served);
    this.#sessions.put(builder.id, session);
    if (asked.isStream) reply.end();
    else reply.send(200, JSON_TYPE, JSON.stringify(last));
  }
}

/** Sends a failure before there is a response, which has status 200, as the runtime sends it. */
function sendError(reply: CallerReply, asked: Pick<AgentRequest, 'isStream'>, error: string): void {
  if (!asked.isStream) return reply.send(200, JSON_TYPE, JSON.stringify({ error }));
  reply.write(EVENTS_TYPE, printEvent({ error }));
  return reply.end();
}
