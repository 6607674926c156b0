import type { StoredHeader, TokenUsage, TraceName } from '../../core/events/events.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { ReplyEvent, ReplyEvents } from '../event-stream/reply-events.ts';
import type { Protocol } from '../protocol.ts';
import { findForeignFailure, type ForeignFailure } from './foreign-failure.ts';
import { LONGEST_READ } from './request.ts';
import { UsageReader } from './usage.ts';

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
}

const NOBODY: ReplyObserver = { event: () => undefined, text: () => undefined };

/**
 * Reads what a reply reports besides its content, while it arrives: tokens, session, tasks, and the agent's own
 * requests in between. A stream is read to its last event, another body up to 1 MiB, when it is complete. Total, and
 * linear in the text.
 */
export class ReplyFacts {
  readonly #protocol: Protocol | undefined;
  readonly #headers: readonly StoredHeader[];
  readonly #reports: 'requests' | 'requests and answers';
  readonly #observer: ReplyObserver;
  readonly #events: ReplyEvents;
  readonly #retained: string[] = [];
  #length = 0;
  #openLength = 0;
  readonly #usage = new UsageReader();
  #failure: ForeignFailure | undefined;
  #session: string | undefined;
  #tasks: readonly TraceName[] = [];

  /** `reports` says whether `push` returns answers and notifications, too; in the stream of a call they are its reply. */
  constructor(
    protocol: Protocol | undefined,
    headers: readonly StoredHeader[],
    reports: 'requests' | 'requests and answers' = 'requests',
    observer = NOBODY,
  ) {
    this.#protocol = protocol;
    this.#headers = headers;
    this.#reports = reports;
    this.#observer = observer;
    const mayStream = protocol === undefined || protocol.facts.language === 'json';
    this.#events = new ReplyEvents(mayStream ? 'unknown' : 'whole');
    this.#session = protocol?.requests.session?.(headers, undefined);
  }

  /** Takes text; returns the messages in it besides the reply. */
  push(text: string): readonly StreamMessage[] {
    const events = this.#events.push(text);
    this.#openLength = events.length > 0 || !this.isStream ? 0 : this.#openLength + text.length;
    const messages = events.flatMap(event => this.#takeEvent(event));
    this.#retain(this.#events.takeRest());
    return messages;
  }

  /** Ends the reply. Returns the text of a body that is no stream, in the form that the protocol's readers take. */
  end(): string {
    for (const event of this.#events.end()) this.#takeEvent(event);
    this.#retain(this.#events.takeRest());
    const text = this.#frame(this.#retained.join(''));
    if (text !== '') this.#takeBody(text);
    return text;
  }

  /** False once more text makes no difference: a long body that is no stream is not read. */
  get wantsMore(): boolean {
    return this.#length <= LONGEST_READ;
  }

  /** The number of characters of a stream since its last event: a caller that holds little may stop. */
  get openLength(): number {
    return this.#openLength;
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
  #frame(text: string): string {
    const frame = this.#protocol?.replies.frame;
    const value = frame && !text.includes('"jsonrpc"') ? readWrittenJson(text) : undefined;
    const framed = value && frame?.(value);
    return framed && framed !== value ? compactJson(framed, 'written') : text;
  }

  /** Reads a body that is no stream: one message, or several in AICL or as lines. */
  #takeBody(text: string): void {
    if (this.#protocol?.facts.language === 'aicl') {
      const value = readAiclPieces(text).pieces[0]?.value;
      if (value) this.#learn(value);
      return;
    }
    const [first = '', ...others] = text.trim().split('\n');
    // The first line of one value over several lines is no value by itself.
    const areLines = others.length > 0 && new ReplyEvent(first).value !== undefined;
    for (const line of areLines ? [first, ...others] : [text])
      if (line.trim() !== '') this.#takeMessage(new ReplyEvent(line));
  }

  #takeEvent(event: ReplyEvent): readonly StreamMessage[] {
    const framed = this.#frame(event.data);
    const read = framed === event.data ? event : new ReplyEvent(framed);
    this.#observer.event(read);
    return this.#takeMessage(read);
  }

  #takeMessage(read: ReplyEvent): readonly StreamMessage[] {
    const { data } = read;
    const value = (): Value | undefined => read.value;
    this.#usage.push(data, value);
    this.#failure ??= findForeignFailure(data, this.#protocol ? 'known' : 'unknown', value);
    const isUnknown = this.#tasks.length === 0 && this.#protocol?.requests.names !== undefined;
    if ((isUnknown || (this.#session === undefined && MAY_NAME.test(data))) && read.value)
      this.#learn(read.value);
    const reportsAnswers = this.#reports === 'requests and answers';
    if (!reportsAnswers && !data.includes('"method"')) return [];
    const message = read.value;
    if (!message) return [];
    if (isBackRequest(message)) return [{ kind: 'request', text: data, message }];
    if (!reportsAnswers) return [];
    if (isAnswer(message)) return [{ kind: 'answer', text: data, message }];
    return findEntry(message, 'method') ? [{ kind: 'notification', text: data, message }] : [];
  }

  /** Learns the session and the tasks of a message; all messages of a reply are about the same ones. */
  #learn(message: Value): void {
    const { names, session } = this.#protocol?.requests ?? {};
    this.#session ??= session?.(this.#headers, message);
    if (this.#tasks.length === 0) this.#tasks = names?.(message) ?? [];
  }
}

/** Messages without a member of this kind, which are most, have no session and need not be parsed. */
const MAY_NAME = /"(?:session_id|contextId|conversation)"/;

/** True for a request of a server to its client (JSON-RPC 2.0: a method with an id). */
export function isBackRequest(message: Value): boolean {
  const id = findEntry(message, 'id');
  return findEntry(message, 'method')?.kind === 'text' && (id?.kind === 'int' || id?.kind === 'text');
}

function isAnswer(message: Value): boolean {
  return (findEntry(message, 'result') ?? findEntry(message, 'error')) !== undefined;
}
