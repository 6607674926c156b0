import type { KeptHeader, TokenUsage, TraceName } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import { Report } from '../../core/message/report.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { ReplyReader } from '../convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../convert/read-text.ts';
import { EventText } from '../event-stream/event-text.ts';
import type { Protocol, ReplyJudge, ReplyVerdict } from '../protocol.ts';
import { findFormFault, type ReplyFault } from './reply-form.ts';
import { LONGEST_READ } from './request.ts';
import { readUsage, usageOfEvent } from './usage.ts';

/** What a reply amounts to. */
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
  /** Where it says no failure: why it is no answer to a request all the same. */
  readonly fault?: ReplyFault;
  readonly notes: readonly string[];
}

/** What a server says in a stream beside the reply: it asks its caller, or answers a call that came otherwise. */
export interface StreamMessage {
  readonly kind: 'request' | 'answer';
  /** The JSON text of the message. */
  readonly text: string;
  readonly message: Value;
}

/** The head of a reply; undefined where the reply has none, as over standard output. */
export interface ObservedHead {
  readonly status: number;
  /** `404 Not Found`. */
  readonly line: string;
  readonly headers: readonly KeptHeader[];
}

const LONG = 'The reply is longer than 1 MiB; what came of the call is what its head says';

/**
 * Reads a reply while it comes: what it amounts to, its tokens, its session, and what its agent asks in between. Events of a
 * stream are read to the last one, other bodies up to 1 MiB, when they are whole. Total, and linear in the text.
 */
export class ReplyRecogniser {
  readonly #protocol: Protocol | undefined;
  readonly #head: ObservedHead | undefined;
  readonly #judge: ReplyJudge | undefined;
  readonly #events: EventText | undefined;
  readonly #hearsAnswers: boolean;
  readonly #kept: string[] = [];
  #length = 0;
  #usage: TokenUsage | undefined;
  #session: string | undefined;
  #tasks: readonly TraceName[] = [];

  /** `hears` says whether answers are returned too: in a stream of a call's own they are its reply. */
  constructor(
    protocol: Protocol | undefined,
    head: ObservedHead | undefined,
    hears: 'requests' | 'requests and answers' = 'requests',
  ) {
    this.#hearsAnswers = hears === 'requests and answers';
    this.#protocol = protocol;
    this.#head = head;
    this.#judge = protocol && (protocol.replies.openJudge?.() ?? openJsonJudge(protocol));
    if (head && isEventStream(head.headers)) this.#events = new EventText();
  }

  /** Takes text and answers what the agent says in it beside the reply. */
  push(text: string): readonly StreamMessage[] {
    if (this.#events) {
      const events = this.#events.push(text);
      if (this.#protocol?.replies.frame) return this.#takeEvents(this.#frameEvents(events));
      this.#judge?.push(text);
      return this.#takeEvents(events);
    }
    this.#length += text.length;
    if (!this.wantsMore) {
      this.#kept.length = 0;
      return [];
    }
    this.#kept.push(text);
    if (this.#judge?.readsPieces) this.#judge.push(text);
    return [];
  }

  /** False where what still comes makes no difference: a long body that is no stream is not read. */
  get wantsMore(): boolean {
    return this.#events !== undefined || this.#length <= LONGEST_READ;
  }

  /** The names of the tasks that it is about, so far. */
  get tasks(): readonly TraceName[] {
    return this.#tasks;
  }

  /** True once a message has ended the reply: who hangs up then has all of it. */
  get isOver(): boolean {
    return this.#judge?.isOver() === true;
  }

  /** True where its caller can ask for what follows in its stream, because the events have ids (WHATWG HTML 9.2.4). */
  get canResume(): boolean {
    return this.#events?.hasIds === true && !this.isOver;
  }

  /** The reply is over: what it amounts to. */
  end(): RecognisedReply {
    const last = this.#events?.end() ?? [];
    this.#takeEvents(this.#protocol?.replies.frame ? this.#frameEvents(last) : last);
    const kept = this.#kept.join('');
    const text = kept === '' ? kept : this.#frameText(kept);
    if (text !== '' && !this.#judge?.readsPieces) this.#judge?.push(text);
    const outcome = this.wantsMore ? this.#judge?.end() : undefined;
    const usage = this.#usage ?? readUsage(text);
    const session = this.#session ?? this.#findSession(() => this.#readMessage(text));
    const tasks = this.#events ? this.#tasks : this.#findTasks(text);
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

  /** A reply in the form that the protocol's readers take. */
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
    // The streams of other protocols have an end of their own, which their outcome reports.
    if (!this.#protocol?.replies.endsWithAnswer || this.isOver) return undefined;
    return { status: 'incomplete', message: 'The stream ended before the answer came' };
  }

  /** Events in the form that the protocol's readers take. */
  #frameEvents(events: readonly { readonly data: string }[]): readonly { readonly data: string }[] {
    const framed = events.map(({ data }) => ({ data: this.#frameText(data) }));
    for (const { data } of framed) this.#judge?.push(`data: ${data.replaceAll(/[\r\n]+/g, ' ')}\n\n`);
    return framed;
  }

  #takeEvents(events: readonly { readonly data: string }[]): readonly StreamMessage[] {
    const said: StreamMessage[] = [];
    for (const { data } of events) {
      this.#usage = usageOfEvent(data) ?? this.#usage;
      this.#session ??= this.#findSession(() => (mayName(data) ? readWrittenJson(data) : undefined));
      if (this.#tasks.length === 0) this.#tasks = this.#findTasks(data);
      const message = this.#hearsAnswers || data.includes('"method"') ? readWrittenJson(data) : undefined;
      if (!message) continue;
      if (isBackRequest(message)) said.push({ kind: 'request', text: data, message });
      else if (this.#hearsAnswers && isAnswer(message)) said.push({ kind: 'answer', text: data, message });
    }
    return said;
  }

  /** The first message that is about a task names the one that all of them are about. */
  #findTasks(text: string): readonly TraceName[] {
    const names = this.#protocol?.requests.names;
    const message = names && readWrittenJson(text);
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
      return { status: 'error', code: `HTTP ${head.status}`, message: `The agent answered ${head.line}` };
    return unfinished ?? { status: 'ok' };
  }

  /** A redirect answers no message; what else is asked over HTTP may be answered by one. */
  #isRefusal(status: number): boolean {
    return status >= 400 || (status >= 300 && status !== 304 && this.#protocol !== undefined);
  }
}

/** What a whole reply without a head amounts to. */
export function recogniseReply(protocol: Protocol | undefined, text: string): RecognisedReply {
  const reader = new ReplyRecogniser(protocol, undefined);
  reader.push(text);
  return reader.end();
}

/** True for a message by which a server asks its client (JSON-RPC 2.0: a method with an id). */
export function isBackRequest(message: Value): boolean {
  const id = findEntry(message, 'id');
  return findEntry(message, 'method')?.kind === 'text' && (id?.kind === 'int' || id?.kind === 'text');
}

function isAnswer(message: Value): boolean {
  return (findEntry(message, 'result') ?? findEntry(message, 'error')) !== undefined;
}

/** Most events name no conversation; they are not read for that. */
function mayName(data: string): boolean {
  return /"(?:session_id|contextId|conversation)"/.test(data);
}

/** The judge of replies that the protocol's shape reads. */
function openJsonJudge(protocol: Protocol): ReplyJudge {
  const reader = new ReplyReader(protocol, NO_TOOLS, new Report(), 'outcome');
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
