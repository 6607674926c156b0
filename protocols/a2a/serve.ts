import { dictOf } from '../message/dicts.ts';
import {
  findEntry,
  intValue,
  NULL,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { PartPrinter } from '../../language/values/json-printer.ts';
import { writeReply } from '../rpc/frame.ts';
import { ServerCodec } from '../serving/codec.ts';
import { JSON_TYPE, writeEvent } from '../serving/http-replies.ts';
import type {
  CallerReply,
  CallerRequest,
  ProtocolServer,
  Serve,
  ServedAgent,
  ServerHost,
} from '../serving/serving.ts';
import { isCardPath } from './card.ts';
import { A2A_MESSAGES } from './messages.ts';
import { writeCard } from './server/card.ts';
import { A2A_ERRORS, A2aFault } from './server/errors.ts';
import { Operations, writerFor, type A2aCall } from './server/operations.ts';
import { readMethod, type NamedMethod } from './server/requests.ts';
import { A2A_JSON, readRestRequest, writeRestFault, type RestRequest } from './server/rest.ts';
import { followTask } from './server/stream.ts';

/** The path of the JSON-RPC endpoint; the card names it. */
const A2A_PATH = '/a2a';

const NO_JSON = 'The body is not JSON: send one JSON-RPC request';

/**
 * Serves an agent over A2A 1.0 and 0.3: its card, and JSON-RPC with replies that are JSON or streams of events; 1.0 over
 * HTTP+JSON as well.
 */
export const serveA2a: Serve = (agent, host) => new A2aServer(agent, host);

class A2aServer implements ProtocolServer {
  readonly path = A2A_PATH;
  readonly #agent: ServedAgent;
  readonly #url: string;
  readonly #codec: ServerCodec;
  readonly #operations: Operations;

  constructor(agent: ServedAgent, host: ServerHost) {
    this.#agent = agent;
    this.#url = `${host.origin}${A2A_PATH}`;
    this.#codec = new ServerCodec(A2A_MESSAGES, host.protocols);
    this.#operations = new Operations(agent, this.#codec, host);
  }

  async answer(request: CallerRequest, reply: CallerReply): Promise<void> {
    const { method, path } = request;
    if (method === 'GET' && isCardPath(path)) return this.#sendCard(request, reply);
    const rest = path.startsWith(`${A2A_PATH}/`) ? this.#readRest(request) : undefined;
    if (rest) return this.#answerRest(rest, request, reply);
    if (path !== A2A_PATH || method !== 'POST')
      return reply.send(
        path === A2A_PATH ? 405 : 404,
        'text/plain',
        `There is nothing here: POST a JSON-RPC request to ${this.#url}, or read the card at /.well-known/agent-card.json`,
      );
    await this.#answerRpc(request, reply);
  }

  async #answerRpc(request: CallerRequest, reply: CallerReply): Promise<void> {
    const value = this.#codec.parse(request.body);
    const id = readId(value);
    if (!value) return this.#send(reply, fail(id, this.#findFault(request.body)));
    const named = readMethodOf(value, request);
    if (named instanceof A2aFault) return this.#send(reply, fail(id, named));
    const call: A2aCall = { ...named, value, request, reply };
    const answer = await this.#operations.run(call);
    if (answer instanceof A2aFault) return this.#send(reply, fail(id, answer));
    if (answer.kind === 'result') return this.#send(reply, writeReply('result', { id, body: answer.value }));
    const { task, start } = answer;
    const printer = new PartPrinter();
    await followTask(task, start, writerFor(call), request, event =>
      writeEvent(reply, printer.print(writeReply('result', { id, body: event }))),
    );
    if (!request.gone.aborted) reply.end();
  }

  #findFault(body: string): A2aFault {
    return new A2aFault('parse', this.#codec.describeFault(body, NO_JSON));
  }

  #readRest(request: CallerRequest): RestRequest | A2aFault | undefined {
    const body = request.body === '' ? undefined : this.#codec.parse(request.body);
    if (request.body !== '' && body?.kind !== 'dict') return this.#findFault(request.body);
    return readRestRequest(request.path.slice(A2A_PATH.length), request, body);
  }

  /** Answers a request over HTTP+JSON, whose replies have no frame. */
  async #answerRest(rest: RestRequest | A2aFault, request: CallerRequest, reply: CallerReply): Promise<void> {
    if (rest instanceof A2aFault) return this.#refuseRest(rest, reply);
    const named = readMethod(rest.method, request.header('a2a-version'));
    if (named instanceof A2aFault) return this.#refuseRest(named, reply);
    const call: A2aCall = { ...named, value: rest.value, request, reply };
    const answer = await this.#operations.run(call);
    if (answer instanceof A2aFault) return this.#refuseRest(answer, reply);
    if (answer.kind === 'result') return reply.send(200, A2A_JSON, this.#codec.print(answer.value));
    const printer = new PartPrinter();
    await followTask(answer.task, answer.start, writerFor(call), request, event =>
      writeEvent(reply, printer.print(event)),
    );
    if (!request.gone.aborted) reply.end();
  }

  #refuseRest(fault: A2aFault, reply: CallerReply): void {
    const { status, value } = writeRestFault(fault);
    reply.send(status, A2A_JSON, this.#codec.print(value));
  }

  /** Sends the card; without one of an agent that was not reached, so that no client stores a wrong one. */
  async #sendCard(request: CallerRequest, reply: CallerReply): Promise<void> {
    const offer = await this.#agent.offer(request, 'current');
    if (offer.failure !== undefined)
      return reply.send(502, 'text/plain', offer.problem ?? 'The agent did not answer');
    reply.send(200, JSON_TYPE, this.#codec.print(writeCard(offer, this.#url)));
  }

  #send(reply: CallerReply, value: Value): void {
    reply.send(200, JSON_TYPE, this.#codec.print(value));
  }
}

/** Reads the method of a JSON-RPC request. */
function readMethodOf(value: Value, request: CallerRequest): NamedMethod | A2aFault {
  const method = textIn(findEntry(value, 'method'));
  const given = findEntry(value, 'id');
  if (value.kind === 'list')
    return new A2aFault('request', 'A2A has no batches: send each request on its own');
  if (textIn(findEntry(value, 'jsonrpc')) !== '2.0' || method === undefined)
    return new A2aFault(
      'request',
      "The request is not one of JSON-RPC 2.0: it needs 'jsonrpc', a 'method' and an 'id'",
    );
  if (given?.kind !== 'text' && given?.kind !== 'int')
    return new A2aFault(
      'request',
      "The request needs an 'id', a text or a whole number: A2A has no notifications",
    );
  return readMethod(method, request.header('a2a-version'));
}

/** The id of a request for its reply; null for a request without one. */
function readId(value: Value | undefined): Value {
  const id = findEntry(value, 'id');
  return id?.kind === 'text' || id?.kind === 'int' ? id : NULL;
}

function fail(id: Value, { name, text }: A2aFault): DictValue {
  const body = dictOf({ code: intValue(A2A_ERRORS[name].code), message: textValue(text) });
  return writeReply('error', { id, body });
}
