import { isMessageLanguage, type LanguageId } from '../../core/catalog/languages.ts';
import type { MessageLanguage } from '../../core/catalog/protocols.ts';
import type { Protocol, Protocols } from '../../protocols/protocol.ts';
import { readConvertibleSteps } from '../../protocols/convert/calls/convertible-request.ts';
import { quote } from '../../core/text/quote.ts';
import {
  type Connection,
  type Outgoing,
  type Reply,
  type Send,
  type Sender,
  type WireListener,
} from '../connection.ts';
import { holdBack } from '../warnings.ts';
import { readWithin, UNLIMITED } from '../slices.ts';
import type { KnownTools } from '../capabilities/known-tools.ts';
import { Conversations } from './conversations.ts';
import { askInOwnJson } from './own-json.ts';
import { RequestWriter } from './request-writer.ts';
import { readTimeLimit, type TimeLimit } from './time-limit.ts';
import { ConvertedReply } from './converted-reply.ts';

export interface AskOptions {
  readonly protocols: Protocols;
  /** The language of requests and of replies. */
  readonly language: LanguageId;
  /** What is known about the agent's tools. */
  readonly tools: KnownTools;
  /** Whether a request with warnings is sent all the same. */
  readonly warningPolicy: 'hold' | 'send';
  /** Parameters of requests that the agent's entry sets: constraints with these names are no parameters. */
  readonly fixedParameters?: readonly string[];
  /** Milliseconds for a call whose request sets no time-out. */
  readonly timeout?: number | undefined;
  /** The open conversations with the agent; by default those of this connection. */
  readonly conversations?: Conversations;
}

/**
 * Sends requests over a connection, whatever protocol its agent uses. Those in AICL and AICF are converted to
 * the agent's protocol and replies from it, while they arrive. Positional arguments are named by the tool's schema,
 * which is requested from the agent if it is unknown; warnings are reported before anything is sent.
 */
export function askIn(connection: Connection, options: AskOptions): Sender {
  const { language } = options;
  if (!isMessageLanguage(language)) return askInOwnJson(connection, options);
  if (connection.protocol.facts.language === language) return askAsIs(connection, { ...options, language });
  return new ConvertingSender(connection, { ...options, language });
}

type ConvertOptions = AskOptions & { readonly language: MessageLanguage };

/**
 * Sends requests unchanged, except for the session of one that continues a conversation. The connection
 * decides by `warningPolicy` whether a request with warnings is sent.
 */
function askAsIs(
  connection: Connection,
  { protocols, language, tools, warningPolicy, conversations = new Conversations() }: ConvertOptions,
): Sender {
  const { protocol } = connection;
  const send: Send = async (asked, listener, signal) => {
    const limits = await limitsOf(asked.wireText, { protocols, language, tools }, signal);
    const held = holdBack(limits.warnings, asked.warningPolicy ?? warningPolicy, listener);
    if (held) return held;
    for (const each of limits.notes) listener.note(each);
    const timeout = asked.timeout ?? limits.timeout;
    const request = timeout === undefined ? asked : { ...asked, timeout };
    if (request.session === undefined)
      return connection.send({ warningPolicy, ...request }, listener, signal);
    const own = protocol.conversations?.readSession?.(request.wireText);
    const { carried, note } = conversations.find(request, protocol, own);
    if (note !== undefined) listener.note(note);
    const wireText = nameSession(protocol, request.wireText, carried.session, listener);
    const reply = await connection.send({ warningPolicy, ...request, wireText }, listener, signal);
    conversations.keep(request, protocol, own, reply);
    return reply;
  };
  return { send };
}

/** The time limits in a request that is sent unchanged. */
async function limitsOf(
  text: string,
  { protocols, language, tools }: Pick<ConvertOptions, 'protocols' | 'language' | 'tools'>,
  signal: AbortSignal,
): Promise<TimeLimit> {
  if (!MAY_LIMIT.test(text)) return UNLIMITED_TIME;
  const steps = readConvertibleSteps(text, language, { protocols, tools: tools.table });
  const reading = await readWithin(steps, { signals: [signal], deadline: undefined });
  // A request that cannot be read is sent for its agent to refuse, or was stopped.
  if (reading.ended !== 'read' || !reading.result.ok) return UNLIMITED_TIME;
  return readTimeLimit(reading.result.message, Date.now());
}

/** Other texts have no time limit and need not be read. AICF has no place for one. */
const MAY_LIMIT = /\[s:(?:timeout|deadline)\]/;
const UNLIMITED_TIME: TimeLimit = { timeout: undefined, warnings: [], notes: [] };

function nameSession(
  { conversations }: Protocol,
  text: string,
  session: string | undefined,
  listener: WireListener,
): string {
  const named = session === undefined ? undefined : conversations?.nameSession?.(text, session);
  if (session === undefined || !named || named.text === text) return text;
  const signed = named.isSigned ? '; its signature no longer fits' : '';
  listener.note(`The request goes on in the agent's session ${quote(session)}${signed}`);
  return named.text;
}

class ConvertingSender implements Sender {
  readonly #protocol: Protocol;
  readonly #inner: Connection;
  readonly #options: ConvertOptions;
  readonly #conversations: Conversations;
  readonly #writer: RequestWriter;

  constructor(inner: Connection, options: ConvertOptions) {
    this.#protocol = inner.protocol;
    this.#inner = inner;
    this.#options = options;
    this.#conversations = options.conversations ?? new Conversations();
    this.#writer = new RequestWriter(inner, { ...options, conversations: this.#conversations });
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const { language, protocols } = this.#options;
    const prepared = await this.#writer.prepare(
      tools => readConvertibleSteps(request.wireText, language, { protocols, tools }),
      request,
      listener,
      signal,
    );
    if (!prepared.ok) return prepared.reply;
    const { call, written, limits, own, notes } = prepared;
    const warningPolicy = request.warningPolicy ?? this.#options.warningPolicy;
    const held = holdBack([...limits.warnings, ...written.warnings], warningPolicy, listener);
    if (held) return held;
    for (const each of notes) listener.note(each);
    const converted = new ConvertedReply(call, this.#protocol, this.#options, listener);
    const timeout = request.timeout ?? limits.timeout;
    const limit = timeout === undefined ? {} : { timeout };
    const outgoing = { ...request, ...limit, wireText: written.text, isConverted: true, warningPolicy };
    const most = timeout ?? this.#options.timeout;
    const deadline = most === undefined ? undefined : performance.now() + most;
    const reply = await this.#sendPages(outgoing, converted, signal);
    this.#conversations.keep(request, this.#protocol, own, reply);
    // After a call that failed, what has arrived is converted to its end.
    const reading = reply.status === 'ok' ? { signals: [signal], deadline } : UNLIMITED;
    const conversion = await readWithin(converted.endSteps(reply), reading);
    if (conversion.ended === 'read') return conversion.result;
    return { ...reply, isProtocol: false, ...UNCONVERTED[conversion.ended] };
  }

  /**
   * Sends the request. If the agent splits its list of tools, the next pages are requested as well, and the last reply
   * is returned: a list is shown, and a tool looked up, only in all of them.
   */
  async #sendPages(outgoing: Outgoing, converted: ConvertedReply, signal: AbortSignal): Promise<Reply> {
    if (!converted.mayContinue) return this.#inner.send(outgoing, converted.listener, signal);
    const requested = new Set<string>();
    for (let wireText = outgoing.wireText; ;) {
      const reply = await this.#inner.send({ ...outgoing, wireText }, converted.listener, signal);
      const next = reply.status === 'ok' ? converted.nextPage : undefined;
      if (next === undefined) return reply;
      // A server that names a page twice would be asked forever.
      if (requested.has(next) || requested.size === MAX_PAGES) {
        converted.listener.note(
          `The list of tools continues after page ${requested.size + 1}, and is not read further`,
        );
        return reply;
      }
      requested.add(next);
      converted.turnPage();
      wireText = next;
    }
  }
}

/** The maximum number of further pages of a list that are requested. */
const MAX_PAGES = 100;

/** The outcome of a call whose reply could not be converted in time: the reply is shown as received. */
const UNCONVERTED: Readonly<Record<'cancelled' | 'timeout', Pick<Reply, 'status' | 'code' | 'message'>>> = {
  cancelled: {
    status: 'cancelled',
    code: 'CANCELLED',
    message: 'The call was stopped while its reply was converted; the reply is shown as the agent sent it',
  },
  timeout: {
    status: 'incomplete',
    code: 'TIMEOUT',
    message:
      "The reply came, but was not converted within the call's time; it is shown as the agent sent it: raise the agent's 'timeout'",
  },
};
