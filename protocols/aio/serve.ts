import { message, type Message } from '../../core/message/message.ts';
import { quote } from '../../core/text/quote.ts';
import {
  boolValue,
  findEntry,
  intValue,
  listValue,
  NULL,
  textIn,
  textValue,
  type Value,
} from '../../core/values/value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { readParts, textPart, writeParts } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import { joinDicts } from '../message/rest.ts';
import { readRpc } from '../rpc/frame.ts';
import { ServerCodec } from '../serving/codec.ts';
import { JSON_TYPE, headersOf } from '../serving/http-replies.ts';
import { noteQuestion } from '../serving/notes.ts';
import type {
  CallerReply,
  CallerRequest,
  ItemRequest,
  Offer,
  ProtocolServer,
  Serve,
  ServedAgent,
  ServedReply,
  ServerHost,
} from '../serving/serving.ts';
import { AIO_MESSAGES } from './messages.ts';
import { UNDER } from './replies.ts';
import { splitMethod } from './requests.ts';
import { describeAgent, listMethodNames, listOwnTools, MODALITIES } from './server/help.ts';
import { writeItem, writePrompt, writeResource } from './server/items.ts';

/** The path of the endpoint. */
const AIO_PATH = '/';

/** Serves an agent as an AIO-MCP agent: over HTTP, or as a process that answers one request. */
export const serveAio: Serve = (agent, host) => new AioServer(agent, host);

/** A request, with the parts of its method. */
interface AioCall {
  readonly value: Value;
  /** The name of the method without the agent, with a dot between module and method. */
  readonly method: string;
  readonly params: Value | undefined;
  readonly request: CallerRequest;
  readonly reply: CallerReply;
}

/** The members of a reply besides those that every reply has, and its HTTP status if that is not 200. */
interface AioAnswer {
  readonly members: Readonly<Record<string, Value | undefined>>;
  readonly status?: number;
}

class AioServer implements ProtocolServer {
  readonly path = AIO_PATH;
  readonly #agent: ServedAgent;
  readonly #host: ServerHost;
  readonly #codec: ServerCodec;

  constructor(agent: ServedAgent, host: ServerHost) {
    this.#agent = agent;
    this.#host = host;
    this.#codec = new ServerCodec(AIO_MESSAGES, host.protocols);
  }

  async answer(request: CallerRequest, reply: CallerReply): Promise<void> {
    if (request.method !== 'POST' && request.method !== '')
      return reply.send(
        405,
        'text/plain',
        `Send a request of AIO-MCP by POST, such as {"method":"agent::help"}`,
      );
    const value = this.#codec.parse(request.body);
    const frame = value && readRpc(value);
    const answered =
      frame?.kind === 'request' && value
        ? await this.#run({ value, ...readMethod(frame.method), params: frame.body, request, reply })
        : value
          ? refuse(-32600, WRONG_FORM)
          : refuse(-32700, this.#codec.describeFault(request.body, WRONG_FORM), 400);
    const { status = 200, members } = answered;
    const whole = dictOf({
      jsonrpc: textValue('2.0'),
      id: findEntry(value, 'id') ?? NULL,
      ...members,
      trace_id: findEntry(value, 'trace_id'),
    });
    reply.send(status, JSON_TYPE, this.#codec.print(whole), headersOf(status));
  }

  async #run(call: AioCall): Promise<AioAnswer> {
    const { method, params, request } = call;
    const offer = await this.#agent.offer(request, LISTS.has(method) ? 'current' : 'known');
    if (offer.failure !== undefined)
      return refuse(
        -32603,
        offer.problem ?? 'The agent did not answer',
        offer.failure === 'busy' ? 503 : 200,
      );
    switch (method) {
      case 'help':
        return this.#help(offer, textIn(findEntry(params, 'tool')));
      case 'tools.list':
        return result(dictOf({ tools: listValue(listOwnTools(offer).map(({ value }) => value)) }));
      case 'resources.list':
        return result(dictOf({ resources: listValue(offer.resources.map(writeResource)) }));
      case 'prompts.list':
        return result(dictOf({ prompts: listValue(offer.prompts.map(writePrompt)) }));
      case 'resources.get':
      case 'prompts.get':
        return this.#readItem(call);
      case 'input':
      case 'sampling.start':
      case 'sampling.step':
        return this.#takeTask(call, offer);
      default:
        return this.#callTool(call, offer);
    }
  }

  #help(offer: Offer, tool: string | undefined): AioAnswer {
    if (tool === undefined) return result(describeAgent(offer, this.#host.origin === '' ? 'stdio' : 'http'));
    const found = listOwnTools(offer).find(({ name }) => name === tool);
    return found
      ? result(dictOf({ tool: found.value }))
      : refuse(-32601, `There is no tool ${quote(tool)}; call tools.list for the tools`);
  }

  /** Calls a tool, by `tools.call` or by a method of its name. */
  async #callTool(call: AioCall, offer: Offer): Promise<AioAnswer> {
    const { value, method, params, request } = call;
    const isNamed = method === 'tools.call';
    const isTool = isNamed || offer.isOpen || offer.tools.some(({ name }) => name === method);
    const given = isNamed ? findEntry(params, 'args') : params;
    if (!isTool)
      return refuse(
        -32601,
        `The agent ${quote(offer.name)} has no method ${quote(method)}; it has ${listMethodNames(offer).join(', ')}`,
      );
    if (given && given.kind !== 'dict')
      return refuse(
        -32602,
        `${isNamed ? "'args' of 'tools.call'" : "'params'"} is an object of arguments by name, such as {"x":3}`,
      );
    const asked = this.#codec.read(value);
    if (asked?.kind !== 'call') return refuse(-32600, WRONG_FORM);
    if (isNamed && params?.kind === 'dict')
      for (const { key } of params.entries)
        if (!OF_CALLS.has(key))
          call.reply.note(`'tools.call' takes 'tool' and 'args'; the agent does not receive ${quote(key)}`);
    const { reply } = this.#agent.call(message('call', { ...asked.fields, rest: undefined }), { request });
    return this.#write(await reply, call);
  }

  /**
   * Gives the agent a task. A sampling is a conversation: its result names it, and a step continues it.
   */
  async #takeTask(call: AioCall, offer: Offer): Promise<AioAnswer> {
    const { value, method, params, request } = call;
    if (!offer.takesTasks)
      return refuse(
        -32601,
        `The agent ${quote(offer.name)} takes no tasks, so it has no method ${quote(method)}; it has ${listMethodNames(offer).join(', ')}`,
      );
    const session = method === 'sampling.step' ? textIn(findEntry(params, 'id')) : this.#host.newId();
    if (session === undefined)
      return refuse(
        -32602,
        "'sampling.step' needs 'id', which the result of 'sampling.start' names, and an 'input'",
      );
    const asked = this.#codec.read(joinDicts(value, dictOf({ method: textValue('agent::sampling.start') })));
    const fault = asked?.kind === 'task' ? findInputFault(asked) : WRONG_INPUT;
    if (!asked || fault !== undefined) return refuse(-32602, fault ?? WRONG_INPUT);
    const task = message('task', { ...asked.fields, rest: undefined });
    const { reply } = this.#agent.call(task, { request, session });
    const replied = await reply;
    const answer = this.#write(replied, call);
    if (method === 'input') noteQuestion(replied, "AIO's 'input'", call.reply);
    if (method === 'input' || answer.members['error']) return answer;
    const { result: output, outputs } = answer.members;
    const isDone = boolValue(replied.question === undefined);
    return result(dictOf({ id: textValue(session), output, outputs, done: isDone }));
  }

  async #readItem(call: AioCall): Promise<AioAnswer> {
    const item = readItemRequest(call);
    if (typeof item === 'string') return refuse(-32602, item);
    const { reply } = this.#agent.readItem(item, { request: call.request });
    const replied = await reply;
    if (replied.message.kind === 'error') return this.#write(replied, call);
    return { members: writeItem(replied.message.fields.data, text => call.reply.note(text)) };
  }

  /** The reply of the agent: a typed value or data as the result, several values as outputs, or an error. */
  #write({ message: replied, question, failure }: ServedReply, { reply }: AioCall): AioAnswer {
    const said = question === undefined ? replied : withQuestion(replied, question);
    const written = this.#codec.write(said.kind === 'error' ? said : asTyped(said), reply);
    const entries = written.kind === 'dict' ? written.entries : [];
    const own = entries.filter(({ key }) => !ENVELOPE.has(key));
    return {
      members: Object.fromEntries(own.map(({ key, value }) => [key, value])),
      ...(failure === 'busy' ? { status: 503 } : {}),
    };
  }
}

/** A reply and what the agent asks, if that is not what the reply says. */
function withQuestion(replied: Message, question: string): Message {
  const { parts } = contentOf(canonical(replied));
  const said = parts.filter(({ type, value }) => type !== 'text' || textIn(value) !== '');
  if (said.some(({ value }) => textIn(value) === question)) return replied;
  return canonical(message('result', { content: writeParts([...said, textPart(textValue(question))]) }));
}

/** Marks a reply of an agent of another protocol, so that a text is written as a value with its type. */
function asTyped(replied: Message): Message {
  const { rest } = replied.fields;
  if (findEntry(rest, 'aio')) return replied;
  const mark = dictOf({ aio: dictOf({ [UNDER]: textValue('result') }) });
  return message(replied.kind, replied.fields, rest ? joinDicts(rest, mark) : mark);
}

/** The methods that describe the agent. */
const LISTS: ReadonlySet<string> = new Set(['help', 'tools.list', 'resources.list', 'prompts.list']);

/** The members of a call's parameters. */
const OF_CALLS: ReadonlySet<string> = new Set(['tool', 'args']);

const ENVELOPE: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'trace_id']);

const WRONG_FORM = 'Send one request of AIO-MCP, such as {"jsonrpc":"2.0","id":1,"method":"agent::help"}';
const WRONG_INPUT = `Send an 'input', a text or {"type":"text","value":"…"}, or several of them as 'inputs'; types are ${MODALITIES.join(', ')}`;

function readMethod(given: string): Pick<AioCall, 'method'> {
  const { name } = splitMethod(given);
  return { method: name.replace(/^(resources|prompts|tools|sampling)_([a-z]+)$/, '$1.$2') };
}

/** What is wrong with the values of a task; undefined if nothing is. */
function findInputFault({ fields: { task, content } }: Message): string | undefined {
  if (task && !content) return undefined;
  const parts = readParts(content) ?? [];
  const wrong = parts.findIndex(
    ({ type, value }) => type === 'data' && findEntry(value, 'type') !== undefined,
  );
  if (wrong < 0 && parts.length > 0) return undefined;
  return parts.length === 0 ? WRONG_INPUT : `Input ${wrong + 1} is no value of AIO. ${WRONG_INPUT}`;
}

/** Reads what resource or prompt is wanted; a sentence if none is named. */
function readItemRequest({ method, params }: AioCall): ItemRequest | string {
  if (method === 'resources.get') {
    const uri = textIn(findEntry(params, 'id')) ?? textIn(findEntry(params, 'uri'));
    return uri === undefined
      ? "'resources.get' needs 'id', the id of a resource as 'resources.list' names it"
      : { kind: 'resource', uri };
  }
  const name = textIn(findEntry(params, 'name'));
  const given = findEntry(params, 'arguments');
  if (name === undefined)
    return "'prompts.get' needs 'name', the name of a prompt as 'prompts.list' names it";
  if (given && given.kind !== 'dict')
    return `'arguments' of 'prompts.get' is an object of texts by name, such as {"text":"…"}`;
  return { kind: 'prompt', name, arguments: given };
}

function result(value: Value): AioAnswer {
  return { members: { result: value } };
}

function refuse(code: number, text: string, status = 200): AioAnswer {
  return {
    members: {
      error: dictOf({ code: intValue(code), message: textValue(text) }),
    },
    status,
  };
}
