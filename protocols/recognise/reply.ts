import type { StoredHeader, TokenUsage, TraceName } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import { Report } from '../../core/message/report.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { ReplyReader } from '../convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../convert/read-text.ts';
import { ReplyEvent, ReplyEvents } from '../event-stream/reply-events.ts';
import type { Protocol, ReplyJudge, ReplyVerdict } from '../protocol.ts';
import { findForeignFailure, type ForeignFailure } from './foreign-failure.ts';
import { findFormFault, type ReplyFault } from './reply-form.ts';
import { LONGEST_READ } from './request.ts';
import { UsageReader } from './usage.ts';

/** The outcome of a reply, with the names and tokens in it. */
export interface RecognisedReply {
  readonly status: 'ok' | 'error' | 'cancelled' | 'incomplete';
  readonly code?: string;
  /** One sentence for a person. */
  readonly message?: string;
  readonly usage?: TokenUsage;
  /** The conversation that it names. */
  readonly session?: string;
  /** The names of the tasks that it is about. */
  readonly names?: readonly TraceName[];
  /** For a reply without an error: why it still is no answer to the request. */
  readonly fault?: ReplyFault;
  readonly notes: readonly string[];
}

/** A message in a stream besides the reply: a request to the caller, or the answer to another call. */
export interface StreamMessage {
  readonly kind: 'request' | 'answer';
  /** The JSON text of the message. */
  readonly text: string;
  readonly message: Value;
}

/** The head of a reply; undefined for transports without one, such as standard output. */
export interface ObservedHead {
  readonly status: number;
  /** `404 Not Found`. */
  readonly line: string;
  readonly headers: readonly StoredHeader[];
}

const LONG = 'The reply is longer than 1 MiB; the outcome of the call is taken from its head';

/** What is read of a reply: with `facts`, all but its outcome, for a caller that gets the outcome elsewhere. */
interface ReplyReadingOptions {
  readonly reads?: 'outcome' | 'facts';
  /** Whether `push` returns answers, too; in the stream of a single call they are its reply. */
  readonly reports?: 'requests' | 'requests and answers';
}

/**
 * Reads a reply while it arrives: its outcome, tokens, session and tasks, and the agent's own requests in between. A
 * stream is read to its last event, another body up to 1 MiB, when it is complete. Sent requests, recordings and
 * imported traces are read by it. Total, and linear in the text.
 */
export class ReplyReading {
  readonly #protocol: Protocol | undefined;
  readonly #head: ObservedHead | undefined;
  readonly #judge: ReplyJudge | undefined;
  readonly #events: ReplyEvents;
  readonly #reportsAnswers: boolean;
  readonly #retained: string[] = [];
  #length = 0;
  readonly #usage = new UsageReader();
  /** The failure that no reader of a protocol reports. */
  #failure: ForeignFailure | undefined;
  #session: string | undefined;
  #tasks: readonly TraceName[] = [];

  constructor(
    protocol: Protocol | undefined,
    head: ObservedHead | undefined,
    { reads = 'outcome', reports = 'requests' }: ReplyReadingOptions = {},
  ) {
    this.#reportsAnswers = reports === 'requests and answers';
    this.#protocol = protocol;
    this.#head = head;
    if (protocol && reads === 'outcome')
      this.#judge = protocol.replies.openJudge?.() ?? openJsonJudge(protocol);
    const mayStream = protocol === undefined || protocol.facts.language === 'json';
    this.#events = new ReplyEvents(mayStream ? 'unknown' : 'whole');
    this.#session = protocol?.requests.session?.(head?.headers ?? [], undefined);
  }

  /** Takes text; returns the messages in it besides the reply. */
  push(text: string): readonly StreamMessage[] {
    const messages = this.#events.push(text).flatMap(event => this.#takeEvent(event));
    this.#retain(this.#events.takeRest());
    return messages;
  }

  /** False once more text makes no difference: a long body that is no stream is not read. */
  get wantsMore(): boolean {
    return this.#length <= LONGEST_READ;
  }

  /** The conversation that it names, so far. */
  get session(): string | undefined {
    return this.#session;
  }

  /** The names of the tasks that it is about, so far. */
  get tasks(): readonly TraceName[] {
    return this.#tasks;
  }

  /** True once a message has ended the reply, so that the caller may close the connection. */
  get isOver(): boolean {
    return this.#judge?.isOver() === true;
  }

  /** True if the caller can resume the stream after its last id (WHATWG HTML 9.2.4). */
  get canResume(): boolean {
    return this.#events.canResume && !this.isOver;
  }

  /** Ends the reply and returns its outcome. */
  end(): RecognisedReply {
    for (const event of this.#events.end()) this.#takeEvent(event);
    this.#retain(this.#events.takeRest());
    const retained = this.#retained.join('');
    const text = retained === '' ? retained : this.#frameText(retained);
    if (text !== '' && !this.#judge?.readsPieces) this.#judge?.push(text);
    const outcome = this.wantsMore ? this.#judge?.end() : undefined;
    if (text !== '') this.#takeBody(text);
    const { usage } = this.#usage;
    const judged = this.#judgeHead(outcome);
    const mayBeFaulty = judged.status === 'ok' && outcome?.isOneMessage !== true;
    const fault = mayBeFaulty ? this.#findFault(text) : undefined;
    const [session, tasks] = [this.#session, this.#tasks];
    return {
      ...judged,
      ...(fault ? { fault } : {}),
      notes: this.wantsMore ? [] : [LONG],
      ...(usage ? { usage } : {}),
      ...(session === undefined ? {} : { session }),
      ...(tasks.length === 0 ? {} : { names: tasks }),
    };
  }

  #retain(rest: string): void {
    if (rest === '') return;
    this.#length += rest.length;
    if (!this.wantsMore) this.#retained.length = 0;
    else this.#retained.push(rest);
    if (this.wantsMore && this.#judge?.readsPieces) this.#judge.push(rest);
  }

  /** Brings a body into the form that the protocol's readers take. */
  #frameText(text: string): string {
    const frame = this.#protocol?.replies.frame;
    const value = frame && !text.includes('"jsonrpc"') ? readWrittenJson(text) : undefined;
    const framed = value && frame?.(value);
    return framed && framed !== value ? compactJson(framed, 'written') : text;
  }

  #findFault(text: string): ReplyFault | undefined {
    if (this.#head && this.#head.status !== 200) return undefined;
    if (!this.#isStream) return this.wantsMore ? findFormFault(this.#protocol, text) : undefined;
    // In other protocols the outcome already reports a missing end of the stream.
    if (!this.#protocol?.replies.endsWithAnswer || this.isOver) return undefined;
    return { status: 'incomplete', message: 'The stream ended before the answer came' };
  }

  get #isStream(): boolean {
    return this.#events.form === 'events' || isEventStream(this.#head?.headers ?? []);
  }

  /** Reads a body that is no stream: one message, or several in AICL or as lines. */
  #takeBody(text: string): void {
    if (this.#protocol?.facts.language === 'aicl') {
      const value = readAiclPieces(text).pieces[0]?.value;
      if (value) this.#learn(value);
      return;
    }
    for (const line of readWrittenJson(text) ? [text] : text.split('\n'))
      if (line.trim() !== '') this.#takeMessage(new ReplyEvent(line));
  }

  #takeEvent(event: ReplyEvent): readonly StreamMessage[] {
    const framed = this.#frameText(event.data);
    const read = framed === event.data ? event : new ReplyEvent(framed);
    this.#judge?.pushEvent?.(read);
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
    if (!this.#reportsAnswers && !data.includes('"method"')) return [];
    const message = read.value;
    if (!message) return [];
    if (isBackRequest(message)) return [{ kind: 'request', text: data, message }];
    return this.#reportsAnswers && isAnswer(message) ? [{ kind: 'answer', text: data, message }] : [];
  }

  /** Learns the session and the tasks of a message; all messages of a reply are about the same ones. */
  #learn(message: Value): void {
    const { names, session } = this.#protocol?.requests ?? {};
    this.#session ??= session?.(this.#head?.headers ?? [], message);
    if (this.#tasks.length === 0) this.#tasks = names?.(message) ?? [];
  }

  #judgeHead(judged: ReplyVerdict | undefined): Pick<RecognisedReply, 'status' | 'code' | 'message'> {
    const { outcome, unfinished } = judged ?? {};
    if (outcome?.kind === 'error') {
      const { code, text } = outcome;
      return { status: 'error', ...(code === undefined ? {} : { code }), message: text };
    }
    const head = this.#head;
    if (head && this.#isRefusal(head.status))
      return { status: 'error', code: `HTTP ${head.status}`, message: this.#describeRefusal(head) };
    return unfinished ?? this.#failure ?? { status: 'ok' };
  }

  #describeRefusal({ line }: ObservedHead): string {
    const reason = this.#failure?.status === 'error' ? `: ${this.#failure.message}` : '';
    return `The agent answered ${line}${reason}`;
  }

  /** True for an error status. A redirect answers no message, but may answer HTTP of no known protocol. */
  #isRefusal(status: number): boolean {
    return status >= 400 || (status >= 300 && status !== 304 && this.#protocol !== undefined);
  }
}

/** Messages without a member of this kind, which are most, have no session and need not be parsed. */
const MAY_NAME = /"(?:session_id|contextId|conversation)"/;

/** The outcome of a whole reply without a head. */
export function recogniseReply(protocol: Protocol | undefined, text: string): RecognisedReply {
  const reader = new ReplyReading(protocol, undefined);
  reader.push(text);
  return reader.end();
}

/** True for a request of a server to its client (JSON-RPC 2.0: a method with an id). */
export function isBackRequest(message: Value): boolean {
  const id = findEntry(message, 'id');
  return findEntry(message, 'method')?.kind === 'text' && (id?.kind === 'int' || id?.kind === 'text');
}

function isAnswer(message: Value): boolean {
  return (findEntry(message, 'result') ?? findEntry(message, 'error')) !== undefined;
}

/** The judge of replies that the protocol's shape reads. */
function openJsonJudge(protocol: Protocol): ReplyJudge {
  const reader = new ReplyReader(protocol, { tools: NO_TOOLS, report: new Report() }, 'outcome');
  return {
    push: text => void reader.push(text),
    pushEvent: event => void reader.pushEvent(event),
    readsPieces: false,
    isOver: () => reader.isOver,
    end() {
      reader.end();
      const { outcome, unfinished, isOneMessage } = reader;
      if (!unfinished) return { outcome, isOneMessage };
      const { status, code, text } = unfinished;
      return { outcome, unfinished: { status, message: text, ...(code === undefined ? {} : { code }) } };
    },
  };
}
