import { defined } from '../../core/text/fields.ts';
import type { ErrorMeaning } from '../../core/catalog/error-meanings.ts';
import type { ProtocolRow } from '../../core/catalog/protocols.ts';
import { NOT_SENT } from '../../core/events/events.ts';
import { message, type Message } from '../../core/message/message.ts';
import { dictValue, textIn, textValue, type Value } from '../../core/values/value.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import { findMeaning } from '../../protocols/errors/error-code.ts';
import { askTool, fitCall, takesOf, writeOwnError } from '../../protocols/serving/calls.ts';
import type {
  CallerRequest,
  CallFailure,
  CallOptions,
  ItemRequest,
  Offer,
  OfferAge,
  ServedAgent,
  ServedCall,
  ServedReply,
} from '../../protocols/serving/serving.ts';
import { CapabilityReader } from '../capabilities/capability-reader.ts';
import type { Outgoing, Reply, WireListener } from '../connection.ts';
import { RequestWriter } from '../converting/request-writer.ts';
import type { OpenedAgent } from '../open-agent.ts';
import { isUnreachable } from '../unreachable.ts';
import { notSent } from '../warnings.ts';
import { whenAborted } from '../when-aborted.ts';
import { CallerSessions, withoutNames } from './caller-sessions.ts';
import { BridgedReply } from './bridged-reply.ts';
import { RestartPause } from './restart-pause.ts';
import { toOfferedTool } from './offered-tool.ts';

/** The maximum number of calls that are open at a time; further ones are refused. */
export const MAX_CALLS = 64;

/** Milliseconds until an agent that answered a request for its list without one is asked again. */
const ASK_AGAIN = 10_000;
/** Milliseconds for which a list is current. */
const CURRENT = 1_000;

/** An agent of the agents file, as the server of a protocol sees it. */
export class BridgedAgent implements ServedAgent {
  readonly name: string;
  readonly #opened: OpenedAgent;
  readonly #protocols: Protocols;
  /** The protocol of the callers, in whose codes errors of the bridge are written. */
  readonly #as: Protocol;
  readonly #writer: RequestWriter;
  readonly #pause: RestartPause;
  readonly #sessions: CallerSessions;
  /** The open calls. */
  readonly #open = new Set<AbortController>();
  readonly #changed = new Set<() => void>();
  readonly #clock: () => number;
  #offer: Promise<Offer> | undefined;
  /** When the offer was asked for, and whether the agent answered without a list. */
  #askedAt = 0;
  #hasProblem = false;
  /** What the agent answered to requests when it could not be reached, which each of them asks once. */
  readonly #failed = new WeakMap<CallerRequest, Promise<Offer>>();

  /** `clock` returns milliseconds. */
  constructor(
    opened: OpenedAgent,
    { protocols, as, clock = Date.now }: { protocols: Protocols; as: Protocol; clock?: () => number },
  ) {
    const { agent, pooled } = opened;
    const { connection, tools, conversations } = pooled;
    this.name = agent.name;
    this.#opened = opened;
    this.#protocols = protocols;
    this.#as = as;
    this.#clock = clock;
    const fixedParameters = agent.type === 'http' && agent.model !== undefined ? ['model'] : [];
    this.#writer = new RequestWriter(connection, { tools, conversations, fixedParameters });
    this.#pause = new RestartPause(opened);
    this.#sessions = new CallerSessions(connection.protocol);
    connection.onCapabilitiesChanged?.(() => {
      this.#expire();
      for (const changed of this.#changed) changed();
    });
  }

  get #protocol(): Protocol {
    return this.#opened.pooled.connection.protocol;
  }

  offer(request: CallerRequest, age: OfferAge = 'known'): Promise<Offer> {
    const isOld = this.#isOlderThan(CURRENT) && age === 'current';
    if (isOld || (this.#hasProblem && this.#isOlderThan(ASK_AGAIN))) this.#expire();
    const known = this.#offer ?? this.#failed.get(request);
    if (known) return known;
    const asked = this.#readOffer(request).then(offer => {
      if (this.#offer === asked) this.#hasProblem = offer.problem !== undefined;
      // An agent that could not be reached is asked again, by the next request.
      if (offer.failure !== undefined) {
        this.#offer = undefined;
        this.#failed.set(request, asked);
      }
      return offer;
    });
    this.#offer = asked;
    this.#askedAt = this.#clock();
    this.#hasProblem = false;
    return asked;
  }

  #isOlderThan(age: number): boolean {
    return this.#clock() >= this.#askedAt + age;
  }

  /** What is known of the agent may have changed. */
  #expire(): void {
    this.#opened.pooled.tools.expire();
    this.#offer = undefined;
  }

  call(asked: Message, options: CallOptions): ServedCall {
    return this.#begin(options, signal => this.#answer(asked, options, signal));
  }

  readItem(item: ItemRequest, options: CallOptions): ServedCall {
    const asked = writeItemRequest(item, this.#protocol.facts);
    return this.#begin(options, signal =>
      asked
        ? this.#readItem(item, asked, options, signal)
        : Promise.resolve(this.#refuse('malformed', `The agent ${this.name} ${LACKS[item.kind]}`)),
    );
  }

  async #readItem(
    item: ItemRequest,
    asked: Message,
    options: CallOptions,
    signal: AbortSignal,
  ): Promise<ServedReply> {
    const reply = await this.#send(asked, options, signal);
    const { readItem } = this.#protocol.calls;
    if (!readItem || item.kind === 'completion' || reply.message.kind !== 'result') return reply;
    const name = item.kind === 'prompt' ? item.name : item.uri;
    return { ...reply, message: message('result', { data: readItem(item.kind, name, reply.message) }) };
  }

  onOfferChanged(changed: () => void): () => void {
    this.#changed.add(changed);
    return () => this.#changed.delete(changed);
  }

  /** Ends all open calls. */
  stop(): void {
    for (const call of this.#open) call.abort();
  }

  #begin(options: CallOptions, run: (signal: AbortSignal) => Promise<ServedReply>): ServedCall {
    const stop = new AbortController();
    if (this.#open.size >= MAX_CALLS)
      return { reply: Promise.resolve(this.#busy()), cancel: () => undefined };
    const cancel = (): void => stop.abort();
    if (options.request.gone.aborted) cancel();
    options.request.gone.addEventListener('abort', cancel);
    this.#open.add(stop);
    const reply = run(stop.signal).finally(() => this.#open.delete(stop));
    return { reply, cancel };
  }

  async #answer(
    asked: Message,
    options: CallOptions,
    signal: AbortSignal,
    tried: 'once' | 'again' = 'once',
  ): Promise<ServedReply> {
    const offer = await Promise.race([this.offer(options.request), whenAborted(signal)]);
    if (!offer) return this.#fail('cancelled', 'cancelled', 'The call was stopped before it was sent');
    if (offer.failure) return this.#fail('error', offer.failure, offer.problem ?? '');
    const fitted = fitCall(asked, offer, this.#askName(offer), this.#protocol);
    const reply = fitted.ok
      ? await this.#send(fitted.message, options, signal)
      : this.#refuse(fitted.meaning, fitted.reason);
    const isRefused = reply.failure === 'refused';
    if (reply.failure === 'unreachable' || this.#isUnknownTool(reply)) this.#expire();
    // The agent may have got other tools since it listed them.
    if (!isRefused || tried === 'again' || !this.#isOlderThan(CURRENT)) return reply;
    this.#expire();
    return this.#answer(asked, options, signal, 'again');
  }

  /** True where the agent itself does not know a tool that it listed. */
  #isUnknownTool({ message: { kind, fields } }: ServedReply): boolean {
    if (kind !== 'error') return false;
    const { code, text } = fields;
    const shown = code?.kind === 'int' ? String(code.int) : textIn(code);
    return findMeaning(this.#protocol.facts.errors, shown, textIn(text)) === 'no-such-tool';
  }

  /** The name of the tool for tasks, of an agent that takes tasks. */
  #askName({ tools }: Offer): string | undefined {
    return tools.find(tool => tool.isForTasks)?.name;
  }

  async #send(asked: Message, options: CallOptions, signal: AbortSignal): Promise<ServedReply> {
    const { pooled } = this.#opened;
    const own = this.#sessions.place(asked, options.session);
    const { readAnswer } = asked.kind === 'task' ? this.#protocol.calls : {};
    const bridged = new BridgedReply(this.#protocols, pooled.tools.table, options, readAnswer);
    const request = this.#toOutgoing(asked, { ...options, session: own.session });
    const sent = this.#opened.send(request, bridged.listener, signal, async (outgoing, listener, stop) => {
      if (own.note !== undefined) listener.note(own.note);
      const wire = bridged.listenOn(listener);
      const received = await this.#transmit(own.asked, outgoing, wire, stop, options.begun);
      // Its notes belong before the end of the call.
      if (received.isProtocol || bridged.hasBegun) bridged.end();
      return received;
    });
    const reply = await sent.reply;
    this.#sessions.keep(options.session, reply.question);
    return this.#judge(reply, bridged);
  }

  /** Writes the request in the agent's protocol and sends it. */
  async #transmit(
    asked: Message,
    request: Outgoing,
    listener: WireListener,
    signal: AbortSignal,
    begun: CallOptions['begun'],
  ): Promise<Reply> {
    const { connection, conversations } = this.#opened.pooled;
    await this.#pause.before(signal);
    const read = { ok: true, message: asked, notes: [] } as const;
    const prepared = await this.#writer.prepare(
      function* () {
        return read;
      },
      request,
      listener,
      signal,
    );
    if (!prepared.ok) return prepared.reply;
    const { written, limits, own, notes } = prepared;
    const [warning] = [...limits.warnings, ...written.warnings];
    if (warning !== undefined) return notSent(warning);
    for (const note of notes) listener.note(note);
    const { timeout } = limits;
    const outgoing = defined({ ...request, timeout, wireText: written.text, isConverted: true });
    begun?.();
    const reply = await connection.send(outgoing, listener, signal);
    this.#pause.after(reply);
    conversations.keep(request, connection.protocol, own, reply);
    // The caller receives the messages of the reply. Nobody needs its text, which would be searched for secrets.
    return { ...reply, text: '' };
  }

  #toOutgoing(asked: Message, { request, session, questions }: CallOptions): Outgoing {
    const title = asked.kind === 'call' ? textIn(asked.fields.tool) : asked.kind;
    return {
      wireText: '',
      isConverted: true,
      warningPolicy: 'send',
      // An agent without conversations answers each call by itself.
      ...(session === undefined || !this.#protocol.conversations ? {} : { session }),
      ...defined({ title, questions }),
      origin: request.origin,
    };
  }

  #judge(reply: Reply, bridged: BridgedReply): ServedReply {
    const { status, question, asks: words = question?.asks } = reply;
    const { asks } = bridged;
    const asked = words === undefined ? {} : { question: words, request: asks && withoutNames(asks) };
    const collected = reply.isProtocol || bridged.hasBegun ? bridged.end() : undefined;
    // A reply that failed has an error of the agent, or one of the connection. A cancelled one failed in neither.
    const isError = status !== 'cancelled' && collected?.message.kind === 'error';
    if (collected && (status === 'ok' || isError)) {
      const outcome = collected.message.kind === 'error' ? 'error' : status;
      // The names of the agent's own conversation mean nothing to the caller.
      const { unsent } = collected;
      const own = { message: withoutNames(collected.message), unsent: unsent && withoutNames(unsent) };
      return { status: outcome, ...own, ...asked, retryAfter: reply.retryAfter };
    }
    const text = reply.message ?? `The agent ${this.name} did not answer`;
    if (status === 'ok') return this.#fail('error', failureOf(reply), text);
    // The agent's own word for an incomplete reply; codes of a connection begin with a capital.
    const reason = /^[a-z]/.test(reply.code ?? '') ? reply.code : undefined;
    const isEmpty = !bridged.hasSaid && collected?.unsent === undefined;
    if (status === 'incomplete' && isEmpty && reason === undefined)
      return this.#fail('error', 'unreachable', text);
    return { ...this.#fail(status, failureOf(reply), text), unsent: collected?.unsent, reason };
  }

  #fail(status: ServedReply['status'], failure: CallFailure | undefined, text: string): ServedReply {
    const meaning: ErrorMeaning =
      failure === 'refused' ? 'wrong-argument' : failure === 'unreachable' ? 'wrong-form' : 'tool-failed';
    const message = writeOwnError(this.#as, meaning, text);
    return { status, message, unsent: undefined, ...defined({ failure }) };
  }

  #busy(): ServedReply {
    const text = `The agent ${this.name} has ${MAX_CALLS} open calls, which is the maximum; try again when one has ended`;
    return this.#fail('error', 'busy', text);
  }

  #refuse(meaning: ErrorMeaning, reason: string): ServedReply {
    const error = writeOwnError(this.#as, meaning, reason);
    return { status: 'error', message: error, unsent: undefined, failure: 'refused' };
  }

  /** Asks the agent what it offers, as a call of its own in the trace of the request. */
  async #readOffer(request: CallerRequest): Promise<Offer> {
    const { pooled } = this.#opened;
    const protocol = this.#protocol;
    const reader = new CapabilityReader(pooled);
    const listener = new BridgedReply(this.#protocols, pooled.tools.table, { request }).listener;
    const outgoing = { wireText: '', title: 'capabilities', origin: request.origin };
    const never = new AbortController().signal;
    const lists = takesOf(protocol, []).tools || protocol.calls.takes !== undefined;
    const sent = lists
      ? this.#opened.send(outgoing, listener, never, async (...args) => {
          await this.#pause.before(never);
          return reader.read(...args);
        })
      : undefined;
    const reply = await sent?.reply;
    if (reply) this.#pause.after(reply);
    const { product, name = this.name, instructions, capabilities = [], methods = [] } = reader.peer ?? {};
    const takes = takesOf(protocol, [...capabilities, ...methods]);
    const tools = takes.tools
      ? (pooled.tools.tools ?? []).map(each => toOfferedTool(each, protocol.calls))
      : [];
    const asks = takes.tasks ? [askTool(this.name, protocol.calls.parameters ?? [], tools)] : [];
    const failed = reply && reply.status !== 'ok' ? reply : undefined;
    const problem = failed ? (failed.message ?? 'The agent did not answer') : reader.problem;
    const { requests }: ProtocolRow = protocol.facts;
    return {
      name: product?.name ?? name,
      version: product?.version ?? '1.0.0',
      about: readWrittenJson(JSON.stringify(product?.about ?? null)),
      description: `The agent ${this.name}, which speaks ${protocol.facts.title}`,
      tools: [...tools, ...asks],
      isOpen: takes.tools && !pooled.tools.table.isComplete,
      takesTasks: takes.tasks,
      resources: reader.resources,
      prompts: reader.prompts,
      completes: requests?.completion !== undefined && capabilities.includes(requests.completion.capability),
      ...defined({ instructions, problem }),
      ...(failed ? { failure: failureOf(failed) ?? 'unreachable' } : {}),
    };
  }
}

const LACKS: Readonly<Record<ItemRequest['kind'], string>> = {
  resource: 'has no resources',
  prompt: 'has no prompts',
  completion: 'completes no arguments',
};

/** A request about an item as a call of the method that the agent's protocol has for it; undefined if it has none. */
function writeItemRequest(item: ItemRequest, { requests }: ProtocolRow): Message | undefined {
  if (item.kind === 'completion') return writeMethod(requests?.completion?.method, item.parameters);
  const facts = item.kind === 'prompt' ? requests?.prompt : requests?.resource;
  const parameters = dictValue([
    { key: facts?.name.at(-1) ?? '', value: textValue(item.kind === 'prompt' ? item.name : item.uri) },
    {
      key: requests?.prompt?.arguments.at(-1) ?? '',
      value: item.kind === 'prompt' ? item.arguments : undefined,
    },
  ]);
  return writeMethod(facts?.method, parameters);
}

function writeMethod(method: string | undefined, parameters: Value): Message | undefined {
  return method === undefined
    ? undefined
    : message('call', { tool: textValue(method), arguments: parameters });
}

function failureOf(reply: Reply): CallFailure | undefined {
  if (reply.code === NOT_SENT) return 'refused';
  if (reply.status === 'cancelled') return 'cancelled';
  if (reply.code === 'TIMEOUT') return 'timeout';
  return isUnreachable(reply) || !reply.isProtocol ? 'unreachable' : undefined;
}
