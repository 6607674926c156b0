import { NoteOnce } from '../../core/message/report.ts';
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
import { quote } from '../../core/text/quote.ts';
import { dictOf } from '../message/dicts.ts';
import { writeReply } from '../rpc/frame.ts';
import { findArgumentFault } from '../serving/argument-fault.ts';
import { answerBatch } from '../serving/batch.ts';
import { ServerCodec } from '../serving/codec.ts';
import { JSON_TYPE, headersOf, statusOf } from '../serving/http-replies.ts';
import { noteQuestion } from '../serving/notes.ts';
import { ownError } from '../serving/own-error.ts';
import type {
  CallerReply,
  CallerRequest,
  CallFailure,
  Offer,
  ProtocolServer,
  ServedAgent,
  ServerHost,
} from '../serving/serving.ts';
import type { Twin } from '../serving/twins.ts';
import { JSON_RPC_MESSAGES } from './messages.ts';

/** The path of the JSON-RPC endpoint beside that of AICF (AICF-RPC 1.0, "Dual Protocol Support"). */
const RPC_PATH = '/aip/v1/rpc';

/** JSON-RPC, one of the two formats of AIP. */
export const JSON_RPC_TWIN: Twin = {
  serve: (agent, host) => new JsonRpcServer(agent, host),
  begins: /^\u{feff}?\s*[{[]/u,
};

const METHODS = ['aip.handshake', 'aip.capabilities.list', 'aip.tool.invoke', 'aip.context.get'] as const;

/** The answer to one request; `value` is undefined for a notification. */
interface Answered {
  readonly value: Value | undefined;
  readonly status?: number | undefined;
}

/** Serves an agent as the JSON-RPC endpoint of AIP: its errors have HTTP 200, and what is no request 400. */
class JsonRpcServer implements ProtocolServer {
  readonly path = RPC_PATH;
  readonly #agent: ServedAgent;
  readonly #protocols: ServerHost['protocols'];
  readonly #codec: ServerCodec;

  constructor(agent: ServedAgent, { protocols }: ServerHost) {
    this.#agent = agent;
    this.#protocols = protocols;
    this.#codec = new ServerCodec(JSON_RPC_MESSAGES, protocols);
  }

  async answer(request: CallerRequest, reply: CallerReply): Promise<void> {
    const value = this.#codec.parse(request.body);
    if (!value)
      return this.#send(reply, {
        value: fail(NULL, -32700, this.#codec.describeFault(request.body, PARSE_ERROR)),
        status: 400,
      });
    const notes = new NoteOnce(reply);
    if (value.kind !== 'list' || value.items.length === 0)
      return this.#send(reply, await this.#answerOne(value, request, notes));
    const answers = await answerBatch(value.items, each => this.#answerOne(each, request, notes));
    const sent = answers.flatMap(each => each.value ?? []);
    return this.#send(reply, { value: sent.length > 0 ? listValue(sent) : undefined });
  }

  #send(reply: CallerReply, { value, status = 200 }: Answered): void {
    if (value) reply.send(status, JSON_TYPE, this.#codec.print(value), headersOf(status));
    else reply.send(204, JSON_TYPE, '');
  }

  async #answerOne(value: Value, request: CallerRequest, notes: NoteOnce): Promise<Answered> {
    if (value.kind !== 'dict')
      return { value: fail(NULL, -32600, 'Invalid request: send one JSON-RPC request object'), status: 400 };
    const id = findEntry(value, 'id');
    const asked = this.#read(value);
    if (!asked || !isId(id)) return { value: fail(isId(id) ? (id ?? NULL) : NULL, -32600, INVALID) };
    const { sent, failure } = await this.#answerMessage(asked, value, request, notes);
    if (!id) return { value: undefined };
    const written =
      sent.kind === 'value'
        ? writeReply('result', { id, body: sent.fields.data })
        : this.#codec.write(message(sent.kind, { ...sent.fields, id }), notes);
    return { value: written, status: statusOf(failure) };
  }

  /** The neutral request; undefined for what is no request of JSON-RPC 2.0. */
  #read(value: Value): Message | undefined {
    const isRequest =
      textIn(findEntry(value, 'jsonrpc')) === '2.0' && textIn(findEntry(value, 'method')) !== undefined;
    return isRequest ? this.#codec.read(value) : undefined;
  }

  async #answerMessage(
    asked: Message,
    value: Value,
    request: CallerRequest,
    notes: NoteOnce,
  ): Promise<{ readonly sent: Message; readonly failure?: CallFailure | undefined }> {
    const isCall = asked.kind === 'call';
    const offer = await this.#agent.offer(request, isCall ? 'known' : 'current');
    const method = textIn(findEntry(value, 'method')) ?? '';
    if (method === 'aip.handshake') return { sent: message('value', { data: describe(offer) }) };
    if (method === 'aip.context.get') return { sent: message('value', { data: context(offer) }) };
    if (asked.kind === 'list' || asked.kind === 'describe') return listTools(offer, asked);
    const fault =
      findFault(asked, method, offer) &&
      findFault(asked, method, await this.#agent.offer(request, 'current'));
    if (fault) return { sent: fault };
    const { reply } = this.#agent.call(asked, {
      request,
      step: () => notes.note('JSON-RPC cannot report the progress of a call'),
    });
    const served = await reply;
    noteQuestion(served, 'JSON-RPC', notes);
    return { sent: ownError(JSON_RPC_MESSAGES.facts, served, this.#protocols), failure: served.failure };
  }
}

const PARSE_ERROR = 'Parse error: send one JSON-RPC request object';
const INVALID = "Invalid request: 'jsonrpc' should be \"2.0\", 'method' a text, and 'id' a text or a number";

function isId(id: Value | undefined): boolean {
  return !id || id.kind === 'text' || id.kind === 'int' || id.kind === 'float' || id.kind === 'null';
}

/** Why a call cannot be made: its method is unknown, or its parameters have another form. */
function findFault({ kind, fields }: Message, method: string, { tools }: Offer): Message | undefined {
  const name = textIn(fields.tool);
  const tool = tools.find(each => each.name === name);
  const isInvoke = method === 'aip.tool.invoke';
  // Any other method is read as the tool of that name.
  if (kind !== 'call' || (!isInvoke && !tool))
    return error(-32601, `Method not found: ${method}; the methods are ${METHODS.join(', ')}`);
  if (name === undefined)
    return error(
      -32602,
      'Invalid params: send {"tool":…,"arguments":…}, where \'tool\' is the name of a tool',
    );
  const given = fields.arguments;
  if (given && given.kind !== 'dict' && given.kind !== 'list')
    return error(-32602, `Invalid params: the arguments of ${quote(name)} should be an object`);
  const fault = tool && findArgumentFault(message('call', fields), tool);
  return fault === undefined ? undefined : error(-32602, fault);
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
function listTools(
  { tools, problem }: Offer,
  { kind, fields }: Message,
): { readonly sent: Message; readonly failure?: CallFailure } {
  if (problem !== undefined && tools.length === 0)
    return { sent: error(500, problem), failure: 'unreachable' };
  const wanted = textIn(fields.tool);
  if (kind === 'list')
    return { sent: message('result', { tools: listValue(tools.map(({ value }) => value)) }) };
  const tool = tools.find(({ name }) => name === wanted);
  return {
    sent: tool
      ? message('value', { data: dictOf({ tool: tool.value }) })
      : error(404, `Tool not found: ${wanted ?? ''}`),
  };
}

function error(code: number, text: string): Message {
  return message('error', { protocol: textValue('json-rpc'), code: intValue(code), text: textValue(text) });
}

function fail(id: Value, code: number, text: string): Value {
  const body = dictOf({ code: intValue(code), message: textValue(text) });
  return writeReply('error', { id, body });
}
