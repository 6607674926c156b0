import { message, type Message } from '../../core/message/message.ts';
import {
  findEntry,
  intValue,
  listValue,
  NULL,
  textIn,
  textValue,
  type Value,
} from '../../core/values/value.ts';
import { dictOf } from '../message/dicts.ts';
import { writeReply } from '../rpc/frame.ts';
import { JSON_TYPE } from '../rpc/refuse.ts';
import { ServerCodec } from '../serving/codec.ts';
import type {
  CallerReply,
  CallerRequest,
  Offer,
  ProtocolServer,
  ServedAgent,
  ServerHost,
} from '../serving/serving.ts';
import { JSON_RPC_MESSAGES } from './messages.ts';

/** The path of the JSON-RPC endpoint beside that of AICF (AICF-RPC 1.0, "Dual Protocol Support"). */
export const RPC_PATH = '/aip/v1/rpc';

/** Serves an agent as the JSON-RPC endpoint of AIP: its errors have HTTP 200, and JSON that cannot be read 400. */
export function serveJsonRpc(agent: ServedAgent, { protocols }: ServerHost): ProtocolServer {
  const server = new JsonRpcServer(agent, new ServerCodec(JSON_RPC_MESSAGES, protocols));
  return { path: RPC_PATH, answer: (request, reply) => server.answer(request, reply) };
}

class JsonRpcServer {
  readonly #agent: ServedAgent;
  readonly #codec: ServerCodec;

  constructor(agent: ServedAgent, codec: ServerCodec) {
    this.#agent = agent;
    this.#codec = codec;
  }

  async answer(request: CallerRequest, reply: CallerReply): Promise<void> {
    const value = this.#codec.parse(request.body);
    if (!value) return this.#send(reply, 400, fail(NULL, -32700, 'Parse error: send one JSON-RPC request'));
    if (value.kind !== 'list' || value.items.length === 0) {
      const answered = await this.#answerOne(value, request, reply);
      return answered ? this.#send(reply, 200, answered) : reply.send(204, JSON_TYPE, '');
    }
    const answers = await Promise.all(value.items.map(each => this.#answerOne(each, request, reply)));
    const sent = answers.filter(each => each !== undefined);
    return sent.length > 0 ? this.#send(reply, 200, listValue(sent)) : reply.send(204, JSON_TYPE, '');
  }

  #send(reply: CallerReply, status: number, value: Value): void {
    reply.send(status, JSON_TYPE, this.#codec.print(value));
  }

  /** The answer to one request; undefined for a notification. */
  async #answerOne(value: Value, request: CallerRequest, reply: CallerReply): Promise<Value | undefined> {
    const id = findEntry(value, 'id');
    const asked = textIn(findEntry(value, 'method')) === undefined ? undefined : this.#codec.read(value);
    if (!asked) return fail(id ?? NULL, -32600, "Invalid request: it needs 'jsonrpc' and a 'method'");
    const answered = await this.#answerMessage(asked, value, request);
    if (!id) return undefined;
    const named = answered.kind === 'value' ? undefined : message(answered.kind, { ...answered.fields, id });
    return named ? this.#codec.write(named, reply) : writeReply('result', { id, body: answered.fields.data });
  }

  async #answerMessage(asked: Message, value: Value, request: CallerRequest): Promise<Message> {
    const method = textIn(findEntry(value, 'method'));
    if (method === 'aip.handshake')
      return message('value', { data: describe(await this.#agent.offer(request)) });
    if (method === 'aip.context.get')
      return message('value', { data: context(await this.#agent.offer(request)) });
    if (asked.kind === 'list' || asked.kind === 'describe')
      return listTools(await this.#agent.offer(request), textIn(asked.fields.tool));
    const { reply } = this.#agent.call(asked, { request });
    return (await reply).message;
  }
}

/** The result of a handshake, in the form of the document's example. */
function describe({ name, version }: Offer): Value {
  return dictOf({
    version: textValue('1.0.0'),
    server: dictOf({
      name: textValue(name),
      version: textValue(version),
      capabilities: listValue([textValue('tool'), textValue('context')]),
    }),
  });
}

function context({ name, tools, description }: Offer): Value {
  return dictOf({
    name: textValue(name),
    description: textValue(description),
    tools: intValue(tools.length),
  });
}

/** The list of tools, or the one that is asked for. */
function listTools({ tools, problem }: Offer, wanted: string | undefined): Message {
  if (problem !== undefined && tools.length === 0) return error(502, problem);
  if (wanted === undefined) return message('result', { tools: listValue(tools.map(({ value }) => value)) });
  const tool = tools.find(({ name }) => name === wanted);
  return tool ? message('result', { declaration: tool.value }) : error(404, `Tool not found: ${wanted}`);
}

function error(code: number, text: string): Message {
  return message('error', { protocol: textValue('json-rpc'), code: intValue(code), text: textValue(text) });
}

function fail(id: Value, code: number, text: string): Value {
  const body = dictOf({ code: intValue(code), message: textValue(text) });
  return writeReply('error', { id, body });
}
