import type { StoredHeader, TokenUsage, TraceName } from '../../core/events/events.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { ReplyEvent, ReplyEvents } from '../event-stream/reply-events.ts';
import type { Protocol } from '../protocol.ts';
import { findForeignFailure, type ForeignFailure } from './foreign-failure.ts';
import { LONGEST_READ } from './request.ts';
import { mayReportUsage, UsageReader } from './usage.ts';

export { mayReportUsage };

/** A message in a stream besides the reply: a request to the caller, or an answer or a notification of another call. */
export interface StreamMessage {
  readonly kind: 'request' | 'answer' | 'notification';
  /** The JSON text of the message. */
  readonly text: string;
  readonly message: Value;
}

/** Receives what a reply consists of, in the form that the protocol's readers take. */
interface ReplyObserver {
  readonly event: (event: ReplyEvent) => void;
  /** The next text of a body that is no stream. */
  readonly text: (text: string) => void;
  /** The whole body, if it is no stream. */
  readonly body: (body: ReplyEvent) => void;
}

/** What the messages of a reply report besides their content: tokens, session and tasks. */
export class MessageFacts {
  readonly #protocol: Protocol | undefined;
  readonly #headers: readonly StoredHeader[];
  readonly #usage = new UsageReader();
  #session: string | undefined;
  #tasks: readonly TraceName[] = [];

  constructor(protocol: Protocol | undefined, headers: readonly StoredHeader[] = []) {
    this.#protocol = protocol;
    this.#headers = headers;
    this.#session = protocol?.requests.session?.(headers, undefined);
  }

  /** Takes the next message; it is parsed only if it may report anything. */
  take(event: ReplyEvent): void {
    this.#usage.push(event.data, () => event.value);
    const mayNameTasks = this.#tasks.length === 0 && this.#protocol?.requests.names !== undefined;
    const mayNameSession = this.#session === undefined && MAY_NAME.test(event.data);
    if ((mayNameTasks || mayNameSession) && event.value) this.learn(event.value);
  }

  /** Learns the session and the tasks of a message; all messages of a reply are about the same ones. */
  learn(message: Value): void {
    const { names, session } = this.#protocol?.requests ?? {};
    this.#session ??= session?.(this.#headers, message);
    if (this.#tasks.length === 0) this.#tasks = names?.(message) ?? [];
  }

  /** What was reported so far; undefined if nothing was. */
  get usage(): TokenUsage | undefined {
    return this.#usage.usage;
  }

  /** The conversation that it names, so far. */
  get session(): string | undefined {
    return this.#session;
  }

  /** The names of the tasks that it is about, so far. */
  get tasks(): readonly TraceName[] {
    return this.#tasks;
  }
}

/**
 * Reads what a reply reports besides its content, while it arrives: tokens, session, tasks, and the agent's own
 * requests in between. A stream is read to its last event, another body up to 1 MiB, when it is complete. Total, and
 * linear in the text.
 */
export class ReplyFacts {
  readonly #protocol: Protocol | undefined;
  readonly #reports: 'requests' | 'requests and answers';
  readonly #observer: ReplyObserver;
  readonly #events: ReplyEvents;
  readonly #retained: string[] = [];
  #length = 0;
  readonly #facts: MessageFacts;
  #failure: ForeignFailure | undefined;

  /** `reports` says whether `push` returns answers and notifications, too; in the stream of a call they are its reply. */
  constructor(
    protocol: Protocol | undefined,
    headers: readonly StoredHeader[],
    reports: 'requests' | 'requests and answers',
    observer: ReplyObserver,
  ) {
    this.#protocol = protocol;
    this.#facts = new MessageFacts(protocol, headers);
    this.#reports = reports;
    this.#observer = observer;
    const mayStream = protocol === undefined || protocol.facts.language === 'json';
    this.#events = new ReplyEvents(mayStream ? 'unknown' : 'whole');
  }

  /** Takes text; returns the messages in it besides the reply. */
  push(text: string): readonly StreamMessage[] {
    const messages = this.#events.push(text).flatMap(event => this.#takeEvent(event));
    this.#retain(this.#events.takeRest());
    return messages;
  }

  /** Ends the reply. Returns the text of a body that is no stream, in the form that the protocol's readers take. */
  end(): string {
    for (const event of this.#events.end()) this.#takeEvent(event);
    this.#retain(this.#events.takeRest());
    const body = this.#frame(new ReplyEvent(this.#retained.join('')));
    if (body.data === '') return '';
    this.#takeBody(body);
    this.#observer.body(body);
    return body.data;
  }

  /** False once more text makes no difference: a long body that is no stream is not read. */
  get wantsMore(): boolean {
    return this.#length <= LONGEST_READ;
  }

  /** True for a stream of events. */
  get isStream(): boolean {
    return this.#events.form === 'events';
  }

  /** True if a client can resume the stream after its last id (WHATWG HTML 9.2.4). */
  get canResume(): boolean {
    return this.#events.canResume;
  }

  /** What was reported so far; undefined if nothing was. */
  get usage(): TokenUsage | undefined {
    return this.#facts.usage;
  }

  /** The conversation that it names, so far. */
  get session(): string | undefined {
    return this.#facts.session;
  }

  /** The names of the tasks that it is about, so far. */
  get tasks(): readonly TraceName[] {
    return this.#facts.tasks;
  }

  /** The failure that no reader of a protocol reports. */
  get failure(): ForeignFailure | undefined {
    return this.#failure;
  }

  #retain(rest: string): void {
    if (rest === '') return;
    this.#length += rest.length;
    if (this.wantsMore) {
      this.#retained.push(rest);
      this.#observer.text(rest);
    } else this.#retained.length = 0;
  }

  /** Brings a message into the form that the protocol's readers take. */
  #frame(event: ReplyEvent): ReplyEvent {
    const frame = this.#protocol?.replies.frame;
    const value = frame && !event.data.includes('"jsonrpc"') ? event.value : undefined;
    const framed = value && frame?.(value);
    return framed && framed !== value ? new ReplyEvent(compactJson(framed, 'written'), framed) : event;
  }

  /** Reads a body that is no stream: one message, or several in AICL or as lines. */
  #takeBody(body: ReplyEvent): void {
    if (this.#protocol?.facts.language === 'aicl') {
      const value = readAiclPieces(body.data).pieces[0]?.value;
      if (value) this.#facts.learn(value);
      return;
    }
    const [first = '', ...others] = body.data.trim().split('\n');
    // The first line of one value over several lines is no value by itself.
    const areLines = others.length > 0 && new ReplyEvent(first).value !== undefined;
    for (const message of areLines ? [first, ...others].map(line => new ReplyEvent(line)) : [body])
      if (message.data.trim() !== '') this.#takeMessage(message);
  }

  #takeEvent(event: ReplyEvent): readonly StreamMessage[] {
    const read = this.#frame(event);
    this.#observer.event(read);
    return this.#takeMessage(read);
  }

  #takeMessage(read: ReplyEvent): readonly StreamMessage[] {
    const { data } = read;
    const value = (): Value | undefined => read.value;
    this.#facts.take(read);
    this.#failure ??= findForeignFailure(data, this.#protocol ? 'known' : 'unknown', value);
    const reportsAnswers = this.#reports === 'requests and answers';
    if (!reportsAnswers && !data.includes('"method"')) return [];
    const message = read.value;
    if (!message) return [];
    if (isBackRequest(message)) return [{ kind: 'request', text: data, message }];
    if (!reportsAnswers) return [];
    if (isAnswer(message)) return [{ kind: 'answer', text: data, message }];
    return findEntry(message, 'method') ? [{ kind: 'notification', text: data, message }] : [];
  }
}

/** True for a request of a server to its client (JSON-RPC 2.0: a method with an id). */
export function isBackRequest(message: Value): boolean {
  const id = findEntry(message, 'id');
  return findEntry(message, 'method')?.kind === 'text' && (id?.kind === 'int' || id?.kind === 'text');
}

function isAnswer(message: Value): boolean {
  return (findEntry(message, 'result') ?? findEntry(message, 'error')) !== undefined;
}

/** Messages without a member of this kind, which are most, have no session and need not be parsed. */
const MAY_NAME = /"(?:session_id|contextId|conversation)"/;
