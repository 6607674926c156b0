import { message, type Message } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  intValue,
  listValue,
  textIn,
  textValue,
  type DictValue,
  type TextValue,
} from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import { writeRequest } from '../../rpc/frame.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import type { CallOptions, ItemRequest, Offer, ServedAgent } from '../../serving/serving.ts';
import type { Caller } from './caller.ts';
import { CODES, fail, result, type Answer } from './frames.ts';
import { describeServer, listCapabilities, listItems, listTools, type Era } from './offer.ts';
import { Progress } from './progress.ts';
import { askInWords } from './questions.ts';
import { finishResult, writeReply } from './reply.ts';
import { MODERN_VERSION, negotiate } from './versions.ts';

type Answering = (params: DictValue, caller: Caller) => Promise<Answer> | Answer;

/** The maximum number of questions in words that a call asks its caller. */
const MAX_ROUNDS = 20;

/** Members of `_meta` of a request that belong to its connection or its trace, which the agent has its own of. */
const OF_CONNECTION =
  /^(?:progressToken|io\.modelcontextprotocol\/.*|traceparent|tracestate|x-openstarry-trace-(?:id|depth)|traceId|traceDepth)$/i;

/** Members of the parameters of a request that are not for the agent. */
const OF_CALL: ReadonlySet<string> = new Set(['inputResponses', 'requestState', 'task']);

/** Answers the requests that both eras of MCP share. */
export class McpMethods {
  readonly #agent: ServedAgent;
  readonly #codec: ServerCodec;
  readonly #shared = new Map<string, Answering>([
    ['tools/list', (params, caller) => this.#list(params, caller, offer => listTools(offer, caller.era))],
    ['tools/call', (params, caller) => this.#callTool(params, caller)],
    ['resources/list', (params, caller) => this.#listItems(params, caller, 'resources', 'resource')],
    [
      'resources/templates/list',
      (params, caller) => this.#listItems(params, caller, 'resourceTemplates', 'template'),
    ],
    ['resources/read', (params, caller) => this.#readResource(params, caller)],
    ['prompts/list', (params, caller) => this.#listItems(params, caller, 'prompts', 'prompt')],
    ['prompts/get', (params, caller) => this.#getPrompt(params, caller)],
    ['completion/complete', (params, caller) => this.#complete(params, caller)],
  ]);
  readonly #ofEra: Readonly<Record<Era, ReadonlyMap<string, Answering>>> = {
    legacy: new Map<string, Answering>([
      ['initialize', (params, caller) => this.#initialize(params, caller)],
      ['ping', () => result(dictValue([]))],
      ['logging/setLevel', () => result(dictValue([]))],
    ]),
    modern: new Map<string, Answering>([['server/discover', (_, caller) => this.#discover(caller)]]),
  };

  constructor(agent: ServedAgent, codec: ServerCodec) {
    this.#agent = agent;
    this.#codec = codec;
  }

  /** Answers a request. Never rejects. */
  async answer(method: string, params: DictValue, caller: Caller): Promise<Answer> {
    const { era, request } = caller;
    const answering = this.#ofEra[era].get(method) ?? this.#shared.get(method);
    if (!answering)
      return fail(CODES.noMethod, `The method ${method} does not exist; there are ${this.#showMethods(era)}`);
    const answered = await answering(params, caller);
    // Only results of 2026-07-28 name the agent.
    const names = era === 'modern' && answered.kind === 'result';
    return finishResult(answered, method, names ? await this.#agent.offer(request) : undefined);
  }

  #showMethods(era: Era): string {
    return [...this.#ofEra[era].keys(), ...this.#shared.keys()].join(', ');
  }

  async #initialize(params: DictValue, { request }: Caller): Promise<Answer> {
    const offer = await this.#agent.offer(request);
    return result(
      dictOf({
        protocolVersion: textValue(negotiate(textIn(findEntry(params, 'protocolVersion')))),
        capabilities: listCapabilities(offer),
        serverInfo: describeServer(offer),
        instructions: showInstructions(offer),
      }),
    );
  }

  async #discover({ request }: Caller): Promise<Answer> {
    const offer = await this.#agent.offer(request);
    return result(
      dictOf({
        supportedVersions: listValue([textValue(MODERN_VERSION)]),
        capabilities: listCapabilities(offer),
        instructions: showInstructions(offer),
      }),
    );
  }

  async #list(params: DictValue, { request }: Caller, list: (offer: Offer) => DictValue): Promise<Answer> {
    if (findEntry(params, 'cursor'))
      return fail(CODES.invalidParameters, "The list has one page: send the request without 'cursor'");
    const offer = await this.#agent.offer(request, 'current');
    const body = list(offer);
    // An agent that does not list its tools may have resources all the same.
    const isEmpty = body.entries.every(({ value }) => value.kind === 'list' && value.items.length === 0);
    const isUnknown = findEntry(body, 'tools') ? offer.problem !== undefined : offer.failure !== undefined;
    if (isEmpty && isUnknown) return fail(CODES.internal, offer.problem ?? 'The agent did not answer');
    return result(body);
  }

  #listItems(
    params: DictValue,
    caller: Caller,
    member: string,
    kind: 'resource' | 'template' | 'prompt',
  ): Promise<Answer> {
    return this.#list(params, caller, ({ resources, prompts }) =>
      listItems(member, [...resources, ...prompts], kind),
    );
  }

  async #callTool(params: DictValue, caller: Caller): Promise<Answer> {
    const asked = this.#readCall(params);
    if (!asked || textIn(asked.fields.tool) === undefined)
      return fail(CODES.invalidParameters, "A call of a tool needs its 'name' as a text");
    const { takesTasks } = await this.#agent.offer(caller.request);
    const { session } = caller;
    const options = { ...this.#options(params, caller), ...(takesTasks ? { session } : {}) };
    let sent = asked;
    for (let round = 0; ; round++) {
      const call = this.#agent.call(sent, options);
      caller.begin(call);
      const reply = await call.reply;
      const answer =
        reply.question === undefined || round === MAX_ROUNDS
          ? undefined
          : await askInWords(caller.questions, reply.question, caller.request.gone);
      if (answer === undefined) return writeReply('tools/call', reply, caller.era, caller, this.#codec);
      sent = message('task', { task: textValue(answer) });
    }
  }

  /** The call as a neutral message, with what only MCP has. */
  #readCall(params: DictValue): Message | undefined {
    return this.#codec.read(writeRequest('tools/call', { id: intValue(1), body: ofAgent(params) }));
  }

  #readResource(params: DictValue, caller: Caller): Promise<Answer> | Answer {
    const uri = textIn(findEntry(params, 'uri'));
    if (uri === undefined)
      return fail(CODES.invalidParameters, "Reading a resource needs its 'uri' as a text");
    return this.#readItem('resources/read', { kind: 'resource', uri }, params, caller);
  }

  #getPrompt(params: DictValue, caller: Caller): Promise<Answer> | Answer {
    const name = textIn(findEntry(params, 'name'));
    if (name === undefined)
      return fail(CODES.invalidParameters, "Getting a prompt needs its 'name' as a text");
    const item = { kind: 'prompt', name, arguments: findEntry(params, 'arguments') } as const;
    return this.#readItem('prompts/get', item, params, caller);
  }

  async #complete(params: DictValue, caller: Caller): Promise<Answer> {
    const { completes, name } = await this.#agent.offer(caller.request);
    if (!completes) return fail(CODES.noMethod, `The agent ${name} completes no arguments`);
    const parameters = ofAgent(params);
    return this.#readItem('completion/complete', { kind: 'completion', parameters }, params, caller);
  }

  async #readItem(method: string, item: ItemRequest, params: DictValue, caller: Caller): Promise<Answer> {
    const call = this.#agent.readItem(item, this.#options(params, caller));
    caller.begin(call);
    return writeReply(method, await call.reply, caller.era, caller, this.#codec);
  }

  #options(params: DictValue, caller: Caller): CallOptions {
    const progress = new Progress(params, caller);
    const { request, questions } = caller;
    return {
      request,
      questions,
      take: chunks => progress.take(chunks),
      step: step => progress.step(step),
      drained: () => caller.drained(),
    };
  }
}

function showInstructions({ instructions }: Offer): TextValue | undefined {
  return instructions === undefined ? undefined : textValue(instructions);
}

/** The parameters without what belongs to the connection of the caller. */
function ofAgent(params: DictValue): DictValue {
  const meta = findEntry(params, '_meta');
  const left = meta?.kind === 'dict' ? meta.entries.filter(({ key }) => !OF_CONNECTION.test(key)) : [];
  return dictValue([
    ...params.entries.filter(({ key }) => key !== '_meta' && !OF_CALL.has(key)),
    { key: '_meta', value: left.length > 0 ? dictValue(left) : undefined },
  ]);
}
