import type { StoredHeader, TokenUsage, TraceName } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import { Report } from '../../core/message/report.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { ReplyReader } from '../convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../convert/read-text.ts';
import { EventStreamParser } from '../../core/text/event-stream.ts';
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

/**
 * Reads a reply while it arrives: its outcome, tokens and session, and the agent's own requests in between. A stream is
 * read to its last event, another body up to 1 MiB, when it is complete. Total, and linear in the text.
 */
export class ReplyRecogniser {
  readonly #protocol: Protocol | undefined;
  readonly #head: ObservedHead | undefined;
  readonly #judge: ReplyJudge | undefined;
  readonly #events: EventStreamParser | undefined;
  readonly #reportsAnswers: boolean;
  readonly #retained: string[] = [];
  #length = 0;
  readonly #usage = new UsageReader();
  /** The failure that no reader of a protocol reports. */
  #failure: ForeignFailure | undefined;
  #session: string | undefined;
  #tasks: readonly TraceName[] = [];

  /** `reports` says whether `push` returns answers, too; in the stream of a single call they are its reply. */
  constructor(
    protocol: Protocol | undefined,
    head: ObservedHead | undefined,
    reports: 'requests' | 'requests and answers' = 'requests',
  ) {
    this.#reportsAnswers = reports === 'requests and answers';
    this.#protocol = protocol;
    this.#head = head;
    this.#judge = protocol && (protocol.replies.openJudge?.() ?? openJsonJudge(protocol));
    if (head && isEventStream(head.headers)) this.#events = new EventStreamParser();
  }

  /** Takes text; returns the messages in it besides the reply. */
  push(text: string): readonly StreamMessage[] {
    if (this.#events) {
      const events = this.#events.push(text);
      if (this.#protocol?.replies.frame) return this.#takeEvents(this.#frameEvents(events));
      this.#judge?.push(text);
      return this.#takeEvents(events);
    }
    this.#length += text.length;
    if (!this.wantsMore) {
      this.#retained.length = 0;
      return [];
    }
    this.#retained.push(text);
    if (this.#judge?.readsPieces) this.#judge.push(text);
    return [];
  }

  /** False once more text makes no difference: a long body that is no stream is not read. */
  get wantsMore(): boolean {
    return this.#events !== undefined || this.#length <= LONGEST_READ;
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
    return this.#events?.canResume === true && !this.isOver;
  }

  /** Ends the reply and returns its outcome. */
  end(): RecognisedReply {
    const last = this.#events?.end() ?? [];
    this.#takeEvents(this.#protocol?.replies.frame ? this.#frameEvents(last) : last);
    const retained = this.#retained.join('');
    const text = retained === '' ? retained : this.#frameText(retained);
    if (text !== '' && !this.#judge?.readsPieces) this.#judge?.push(text);
    const outcome = this.wantsMore ? this.#judge?.end() : undefined;
    if (!this.#events) {
      this.#usage.pushReply(text);
      this.#findFailure(text, parseOnce(text));
    }
    const { usage } = this.#usage;
    const session = this.#session ?? this.#findSession(() => this.#readMessage(text));
    const tasks = this.#events ? this.#tasks : this.#findTasks(parseOnce(text));
    const judged = this.#judgeHead(outcome);
    const mayBeFaulty = judged.status === 'ok' && outcome?.isOneMessage !== true;
    const fault = mayBeFaulty ? this.#findFault(text) : undefined;
    return {
      ...judged,
      ...(fault ? { fault } : {}),
      notes: this.wantsMore ? [] : [LONG],
      ...(usage ? { usage } : {}),
      ...(session === undefined ? {} : { session }),
      ...(tasks.length === 0 ? {} : { names: tasks }),
    };
  }

  /** Brings a reply into the form that the protocol's readers take. */
  #frameText(text: string): string {
    const frame = this.#protocol?.replies.frame;
    const value = frame && !text.includes('"jsonrpc"') ? readWrittenJson(text) : undefined;
    const framed = value && frame?.(value);
    return framed && framed !== value ? compactJson(framed, 'written') : text;
  }

  #readMessage(text: string): Value | undefined {
    if (this.#protocol?.facts.language === 'aicl') return readAiclPieces(text).pieces[0]?.value;
    return mayName(text) ? readWrittenJson(text) : undefined;
  }

  #findFault(text: string): ReplyFault | undefined {
    if (this.#head && this.#head.status !== 200) return undefined;
    if (!this.#events) return this.wantsMore ? findFormFault(this.#protocol, text) : undefined;
    // In other protocols the outcome already reports a missing end of the stream.
    if (!this.#protocol?.replies.endsWithAnswer || this.isOver) return undefined;
    return { status: 'incomplete', message: 'The stream ended before the answer came' };
  }

  /** Brings events into the form that the protocol's readers take, and passes them to the judge. */
  #frameEvents(events: readonly { readonly data: string }[]): readonly { readonly data: string }[] {
    const framed = events.map(({ data }) => ({ data: this.#frameText(data) }));
    for (const { data } of framed) this.#judge?.push(`data: ${data.replaceAll(/[\r\n]+/g, ' ')}\n\n`);
    return framed;
  }

  #takeEvents(events: readonly { readonly data: string }[]): readonly StreamMessage[] {
    const messages: StreamMessage[] = [];
    for (const { data } of events) {
      const read = parseOnce(data);
      this.#usage.push(data, read);
      this.#findFailure(data, read);
      this.#session ??= this.#findSession(() => (mayName(data) ? read() : undefined));
      if (this.#tasks.length === 0) this.#tasks = this.#findTasks(read);
      const message = this.#reportsAnswers || data.includes('"method"') ? read() : undefined;
      if (!message) continue;
      if (isBackRequest(message)) messages.push({ kind: 'request', text: data, message });
      else if (this.#reportsAnswers && isAnswer(message))
        messages.push({ kind: 'answer', text: data, message });
    }
    return messages;
  }

  #findFailure(message: string, read: () => Value | undefined): void {
    this.#failure ??= findForeignFailure(message, this.#protocol ? 'known' : 'unknown', read);
  }

  /** The task names of a message; all messages of a reply are about the same tasks. */
  #findTasks(read: () => Value | undefined): readonly TraceName[] {
    const names = this.#protocol?.requests.names;
    const message = names && read();
    return message ? names(message) : [];
  }

  #findSession(read: () => Value | undefined): string | undefined {
    const headers = this.#head?.headers ?? [];
    const find = this.#protocol?.requests.session;
    const inHead = find?.(headers, undefined);
    const message = inHead === undefined ? read() : undefined;
    return inHead ?? (message && find?.(headers, message));
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

/** Parses a JSON text when its value is first needed. */
function parseOnce(text: string): () => Value | undefined {
  let parsed: { readonly value: Value | undefined } | undefined;
  return () => (parsed ??= { value: readWrittenJson(text) }).value;
}

/** The outcome of a whole reply without a head. */
export function recogniseReply(protocol: Protocol | undefined, text: string): RecognisedReply {
  const reader = new ReplyRecogniser(protocol, undefined);
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

/** False for events without a session member, which are most; they need not be parsed. */
function mayName(data: string): boolean {
  return /"(?:session_id|contextId|conversation)"/.test(data);
}

/** The judge of replies that the protocol's shape reads. */
function openJsonJudge(protocol: Protocol): ReplyJudge {
  const reader = new ReplyReader(protocol, { tools: NO_TOOLS, report: new Report() }, 'outcome');
  return {
    push: text => void reader.push(text),
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
