import { boolValue, intValue, listValue, textValue, type DictValue } from '../../core/values/value.ts';
import { decodeUrl } from '../../core/text/decode-url.ts';
import { quote } from '../../core/text/quote.ts';
import { dictOf } from '../message/dicts.ts';
import { ServerCodec } from '../serving/codec.ts';
import { JSON_TYPE } from '../serving/http-replies.ts';
import type {
  CallerReply,
  CallerRequest,
  ProtocolServer,
  Serve,
  ServedAgent,
  ServedCall,
  ServerHost,
} from '../serving/serving.ts';
import { RESPONSES_MESSAGES } from './messages.ts';
import { OpenResponse, type ResponseEnd } from './server/open-response.ts';
import { readCreate, type CreateRequest } from './server/read-create.ts';
import { bodyOf, headersOf, wrong, type Refusal } from './server/refusal.ts';
import { StoredResponses } from './server/stored-responses.ts';

/** The path at which servers of OpenAI's Responses take requests. */
const RESPONSES_PATH = '/v1/responses';

/** Serves an agent as OpenAI's API: its responses, of the one model that is the agent. */
export const serveResponses: Serve = (agent, host) => new ResponsesServer(agent, host);

/** A response that is being written. */
interface Running {
  readonly open: OpenResponse;
  readonly call: ServedCall;
  readonly end: Promise<ResponseEnd>;
}

class ResponsesServer implements ProtocolServer {
  readonly path = RESPONSES_PATH;
  readonly #agent: ServedAgent;
  readonly #host: ServerHost;
  readonly #codec: ServerCodec;
  readonly #stored = new StoredResponses();
  readonly #running = new Map<string, Running>();
  readonly #startedAt: number;

  constructor(agent: ServedAgent, host: ServerHost) {
    this.#agent = agent;
    this.#host = host;
    this.#codec = new ServerCodec(RESPONSES_MESSAGES, host.protocols);
    this.#startedAt = Math.floor(host.now() / 1000);
  }

  async answer(request: CallerRequest, reply: CallerReply): Promise<void> {
    const [kind, name, action, ...more] = request.path.replace(/^(?:\/v1)?\//, '').split('/');
    const { method } = request;
    if (more.length > 0) return this.#refuse(reply, nothingAt(request));
    if (kind === 'models' && action === undefined && method === 'GET') return this.#showModels(name, reply);
    if (kind !== 'responses') return this.#refuse(reply, nothingAt(request));
    if (name === undefined || name === '')
      return method === 'POST' ? this.#create(request, reply) : this.#refuse(reply, nothingAt(request));
    if (action === 'cancel' && method === 'POST') return this.#cancel(name, reply);
    if (action !== undefined) return this.#refuse(reply, nothingAt(request));
    if (method === 'GET') return this.#show(name, request, reply);
    return method === 'DELETE' ? this.#delete(name, reply) : this.#refuse(reply, nothingAt(request));
  }

  #showModels(name: string | undefined, reply: CallerReply): void {
    const model = dictOf({
      id: textValue(this.#agent.name),
      object: textValue('model'),
      created: intValue(this.#startedAt),
      owned_by: textValue('parley'),
    });
    if (name === undefined || name === '')
      return this.#send(reply, dictOf({ object: textValue('list'), data: listValue([model]) }));
    if (decodeUrl(name) === this.#agent.name) return this.#send(reply, model);
    const message = `The model ${quote(decodeUrl(name))} does not exist: the only one is ${quote(this.#agent.name)}`;
    return this.#refuse(reply, { status: 404, message, param: 'model', code: 'model_not_found' });
  }

  async #create(request: CallerRequest, reply: CallerReply): Promise<void> {
    const read = readCreate(request.body, this.#codec, this.#agent.name);
    if (!read.ok) return this.#refuse(reply, read.refusal);
    const { previous } = read.request;
    const before = previous === undefined ? undefined : this.#sessionOf(previous);
    if (previous !== undefined && before === undefined)
      return this.#refuse(
        reply,
        wrong(
          `Previous response with id ${quote(previous, 80)} not found`,
          'previous_response_id',
          'previous_response_not_found',
        ),
      );
    for (const note of read.request.notes) reply.note(note);
    if (previous !== undefined && !this.#stored.isLast(previous))
      reply.note(
        `The conversation has gone on since the response ${quote(previous, 80)}: the agent continues it from its last reply`,
      );
    return this.#run(read.request, before, request, reply);
  }

  async #run(
    created: CreateRequest,
    before: string | undefined,
    request: CallerRequest,
    reply: CallerReply,
  ): Promise<void> {
    const { newId, now } = this.#host;
    const id = `resp_${newId()}`;
    const session = before ?? id;
    const facts = { id, agent: this.#agent.name, now, newId, codec: this.#codec };
    const open = new OpenResponse(facts, created, reply);
    const call = this.#agent.call(created.asked, {
      request,
      session,
      begun: () => open.begin(),
      take: chunks => open.take(chunks),
      takesItems: true,
      drained: () => reply.drained(),
    });
    const end = call.reply.then(served => open.end(served));
    this.#running.set(id, { open, call, end });
    const { status, response } = await end;
    this.#running.delete(id);
    if (response && created.isStored) this.#stored.put(id, { text: open.print(response), status, session });
  }

  #sessionOf(id: string): string | undefined {
    return this.#stored.get(id)?.session;
  }

  #show(id: string, { query = '' }: CallerRequest, reply: CallerReply): void {
    if (/(?:^|&)stream=true(?:&|$)/.test(query)) return this.#refuse(reply, NO_REPLAY);
    const running = this.#running.get(id);
    if (running) return this.#send(reply, running.open.describe('in_progress'));
    const stored = this.#stored.get(id);
    return stored ? reply.send(200, JSON_TYPE, stored.text) : this.#refuse(reply, unknown(id));
  }

  async #cancel(id: string, reply: CallerReply): Promise<void> {
    const running = this.#running.get(id);
    if (running) {
      running.call.cancel();
      const { response } = await running.end;
      return response ? this.#send(reply, response) : this.#refuse(reply, unknown(id));
    }
    const stored = this.#stored.get(id);
    if (!stored) return this.#refuse(reply, unknown(id));
    return stored.status === 'cancelled'
      ? reply.send(200, JSON_TYPE, stored.text)
      : this.#refuse(reply, wrong(`The response ${quote(id, 80)} has ended already: it is ${stored.status}`));
  }

  #delete(id: string, reply: CallerReply): void {
    if (!this.#stored.delete(id)) return this.#refuse(reply, unknown(id));
    const deleted = { id: textValue(id), object: textValue('response'), deleted: boolValue(true) };
    return this.#send(reply, dictOf(deleted));
  }

  #send(reply: CallerReply, value: DictValue): void {
    reply.send(200, JSON_TYPE, this.#codec.print(value));
  }

  #refuse(reply: CallerReply, refusal: Refusal): void {
    reply.send(refusal.status, JSON_TYPE, this.#codec.print(bodyOf(refusal)), headersOf(refusal));
  }
}

const NO_REPLAY = wrong(
  "The events of a response are not stored: get the response without 'stream'",
  'stream',
  'unsupported_parameter',
);

function unknown(id: string): Refusal {
  return { status: 404, message: `Response with id ${quote(id, 80)} not found` };
}

function nothingAt({ method, path }: CallerRequest): Refusal {
  const message = `Unknown request URL: ${method} ${quote(path, 80)}; send POST ${RESPONSES_PATH}, or GET /v1/models`;
  return { status: 404, message, code: 'unknown_url' };
}
