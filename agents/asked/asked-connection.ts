import type { LanguageId } from '../../core/catalog/languages.ts';
import type { Protocol } from '../../protocols/protocol.ts';
import { readAsked, writeAsked, type WrittenRequest } from '../../protocols/convert/calls/asked-request.ts';
import { pickTool } from '../../protocols/convert/calls/picked-tool.ts';
import { openReply } from '../../protocols/convert/calls/published.ts';
import type { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { ReplyWriter } from '../../protocols/convert/calls/reply-writer.ts';
import { Report } from '../../core/message/report.ts';
import type { Message } from '../../core/message/message.ts';
import { textIn } from '../../core/values/value.ts';
import { quote } from '../../core/text/quote.ts';
import {
  withoutProgress,
  type Connection,
  type Outgoing,
  type Reply,
  type Send,
  type Sender,
  type WireListener,
} from '../connection.ts';
import { holdBack, notSent } from '../doubts.ts';
import { readWithin, UNLIMITED } from '../slices.ts';
import type { KnownTools } from '../offer/known-tools.ts';
import { Conversations } from './conversations.ts';

export interface AskOptions {
  /** The language of requests and of replies. */
  readonly language: LanguageId;
  /** What is known of the agent's tools. */
  readonly tools: KnownTools;
  /** Whether a request about which there is a doubt goes out all the same. */
  readonly doubtful: 'hold' | 'send';
  /** Milliseconds that a call may take where its request does not say. */
  readonly timeout?: number | undefined;
  /** The conversations with the agent that go on; without it those of this connection. */
  readonly conversations?: Conversations;
}

/**
 * How requests in one of our languages are sent over a connection, whatever its agent speaks: they are converted to the
 * agent's protocol and replies from it, while they come. Arguments that stand by place are named through the tool's schema,
 * which the agent is asked for where it is not known; what is doubtful then is said before anything is sent.
 */
export function askIn(connection: Connection, options: AskOptions): Sender {
  if (connection.protocol.facts.language === options.language) return askAsIs(connection, options);
  return new ConvertingSender(connection, options);
}

/**
 * Requests go as they are, but for the session of one that continues a conversation; whether one goes about which there is
 * a doubt is told to the connection.
 */
function askAsIs(
  connection: Connection,
  { doubtful, conversations = new Conversations() }: AskOptions,
): Sender {
  const { protocol } = connection;
  const send: Send = async (request, listener, signal) => {
    if (request.session === undefined) return connection.send({ doubtful, ...request }, listener, signal);
    const own = protocol.conversations?.readSession?.(request.wireText);
    const { carried, note } = conversations.find(request, protocol, own);
    if (note !== undefined) listener.note(note);
    const wireText = nameSession(protocol, request.wireText, carried.session, listener);
    const reply = await connection.send({ doubtful, ...request, wireText }, listener, signal);
    conversations.keep(request, protocol, own, reply);
    return reply;
  };
  return { send };
}

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
  readonly #options: AskOptions;
  readonly #conversations: Conversations;

  constructor(inner: Connection, options: AskOptions) {
    this.#protocol = inner.protocol;
    this.#inner = inner;
    this.#options = options;
    this.#conversations = options.conversations ?? new Conversations();
  }

  async send(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Reply> {
    const prepared = await this.#prepare(request, listener, signal);
    if (!prepared.ok) return prepared.reply;
    const { asked, written, own, notes } = prepared;
    const doubtful = request.doubtful ?? this.#options.doubtful;
    const held = holdBack(written.doubts, doubtful, listener);
    if (held) return held;
    for (const each of notes) listener.note(each);
    const converted = new ConvertedReply(asked, this.#protocol, this.#options, listener);
    const timeout = request.timeout ?? readTimeout(asked);
    const limit = timeout === undefined ? {} : { timeout };
    const outgoing = { ...request, ...limit, wireText: written.text, doubtful };
    const most = timeout ?? this.#options.timeout;
    const deadline = most === undefined ? undefined : performance.now() + most;
    const reply = await this.#inner.send(outgoing, converted.listener, signal);
    this.#conversations.keep(request, this.#protocol, own, reply);
    // A call that has ended otherwise already is converted as far as it came.
    const limits = reply.status === 'ok' ? { signals: [signal], deadline } : UNLIMITED;
    const reading = await readWithin(converted.endSteps(reply), limits);
    if (reading.ended === 'read') return reading.result;
    return { ...reply, isProtocol: false, ...UNCONVERTED[reading.ended] };
  }

  /** The request as it goes out. The agent is asked for its tools where they decide on names and types. */
  async #prepare(request: Outgoing, listener: WireListener, signal: AbortSignal): Promise<Prepared> {
    const { tools } = this.#options;
    const prepared = this.#convert(request);
    const { table, isFresh } = tools;
    // What is missing from a list of all tools may be new.
    const mayTellMore = !isFresh || table.isComplete;
    if (!prepared.ok || prepared.written.isSettled || !mayTellMore) return prepared;
    const fetched = await tools.refresh(this.#inner, request, listener, signal);
    // Nothing is said of a request that would not have arrived.
    return !fetched.ok && fetched.unreached
      ? { ok: false, reply: fetched.unreached }
      : this.#convert(request);
  }

  #convert(request: Outgoing): Prepared {
    const { language, tools } = this.#options;
    const { table } = tools;
    const read = readAsked(request.wireText, language, table);
    if (!read.ok) return { ok: false, reply: notSent(read.reason) };
    const own = textIn(read.message.fields.session);
    const { carried, note } = this.#conversations.find(request, this.#protocol, own);
    const asked = this.#protocol.conversations?.carryOn(read.message, carried) ?? read.message;
    const written = writeAsked(asked, this.#protocol, table);
    const notes = [...(note === undefined ? [] : [note]), ...read.notes, ...written.notes];
    return { ok: true, asked, written, own, notes };
  }
}

/** How a call ends whose reply came and could not be converted in time: it is shown as it is. */
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

type Prepared =
  | {
      readonly ok: true;
      readonly asked: Message;
      readonly written: WrittenRequest;
      /** The session that the request names itself. */
      readonly own: string | undefined;
      /** What is to be said of it: of the conversation that it continues, and of what the agent does not get. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly reply: Reply };

/** The seconds that a `tool_call` gives its tool, in milliseconds: protocols without a word for them are held to them too. */
function readTimeout({ fields }: Message): number | undefined {
  const { timeout } = fields;
  const seconds =
    timeout?.kind === 'int' ? Number(timeout.int) : timeout?.kind === 'float' ? timeout.float : 0;
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** A reply that is converted while it comes. */
class ConvertedReply {
  readonly listener: WireListener;
  readonly #report = new Report();
  readonly #reader: Pick<ReplyReader, 'push' | 'endSteps'>;
  readonly #writer: ReplyWriter;
  readonly #asked: Message;
  readonly #protocol: Protocol;
  readonly #outer: WireListener;
  readonly #parts: string[] = [];
  readonly #noted = new Set<string>();
  /** What is said of a tool that is not in the agent's list. */
  #missing: Pick<Reply, 'code' | 'message'> | undefined;
  /** Characters of the agent's reply that were read. */
  #read = 0;

  constructor(asked: Message, protocol: Protocol, { language, tools }: AskOptions, outer: WireListener) {
    this.#asked = asked;
    this.#protocol = protocol;
    this.#outer = outer;
    this.#reader = openReply(asked.kind, protocol, tools.table, this.#report);
    this.#writer = new ReplyWriter(language, asked, tools.table, this.#report);
    this.listener = {
      ...withoutProgress(outer),
      note: text => this.#note(text),
      progress: added => this.#push(added),
    };
  }

  /** All of the reply has come. What was told of it as it came is the beginning of it. */
  *endSteps(reply: Reply): Generator<undefined, Reply> {
    // Nothing was told of a reply that is no message of the protocol: it is shown as it is.
    if (!reply.isProtocol) return reply;
    // Most of the time all of it was read, and a text in pieces needs not be joined for nothing.
    if (this.#read < reply.text.length) this.#push(reply.text.slice(this.#read));
    const last = (yield* this.#reader.endSteps()).map(read => this.#pick(read));
    this.#tell(yield* this.#writer.writeSteps(last));
    this.#tell(this.#writer.end());
    for (const note of groupLosses(this.#report)) this.#outer.note(note);
    for (const { message } of this.#report.notes) this.#note(message);
    const text = this.#parts.join('');
    // A reply that failed and of which nothing can be converted is shown as it is.
    if (text === '' && reply.text !== '' && reply.status === 'error') return { ...reply, isProtocol: false };
    return this.#missing && reply.status === 'ok'
      ? { ...reply, text, status: 'error', ...this.#missing }
      : { ...reply, text };
  }

  /** Both who reads the wire and who converts it may tell the same of a reply. */
  #note(text: string): void {
    if (this.#noted.has(text)) return;
    this.#noted.add(text);
    this.#outer.note(text);
  }

  #push(added: string): void {
    this.#read += added.length;
    this.#take(this.#reader.push(added));
  }

  #take(messages: readonly Message[]): void {
    this.#tell(this.#writer.write(messages.map(read => this.#pick(read))));
  }

  #pick(read: Message): Message {
    const picked = pickTool(this.#asked, read, this.#protocol, this.#report);
    if (picked.kind === 'error' && read.kind !== 'error')
      this.#missing = { code: '404', message: textIn(picked.fields.text) ?? '' };
    return picked;
  }

  #tell(added: string): void {
    if (added === '') return;
    this.#parts.push(added);
    this.#outer.progress(added);
  }
}

/** What is lost, each reason once: a list of a hundred tools loses the same of each. */
function groupLosses({ losses, untold, untoldBy }: Report): readonly string[] {
  const found = new Map<string, { readonly first: string | undefined; count: number }>();
  for (const { path, message } of losses) {
    const known = found.get(message);
    if (known) known.count++;
    else found.set(message, { first: path, count: 1 });
  }
  let left = untold;
  for (const [message, count] of untoldBy) {
    left -= count;
    const known = found.get(message);
    if (known) known.count += count;
    else found.set(message, { first: undefined, count });
  }
  const notes = [...found].map(([message, { first, count }]) => {
    if (first === '') return message;
    if (first === undefined) return `${count} more: ${message}`;
    const others = count - 1;
    const more = others === 0 ? '' : ` and ${others} ${others === 1 ? 'other' : 'others'}`;
    return `${first}${more}: ${message}`;
  });
  return left === 0 ? notes : [...notes, `${left} more losses are not told one by one`];
}
