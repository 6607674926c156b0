import { ReplyReader } from '../convert/calls/reply-reader.ts';
import { toOutcome as aicfOutcome } from '../aicf/outcome.ts';
import { toOutcome as aiclOutcome } from '../aicl/outcome.ts';
import { NO_TOOLS } from '../convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import { readAiclPieces } from '../../language/values/aicl-reader.ts';
import { readWrittenJson } from '../../language/values/json-reader.ts';
import { frameRestReply } from '../a2a/rest.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { AicfReplyFold } from '../../language/aicf/reply-stream.ts';
import { AiclReplyFold } from '../../language/aicl/replies/reply.ts';
import { EventText } from '../event-stream/event-text.ts';
import { findEntry, type Value } from '../../core/values/value.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import type { KeptHeader, TokenUsage, TraceName, TraceProtocol } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import { findTaskNames } from '../a2a/tasks.ts';
import { findFormFault, type ReplyFault } from './reply-form.ts';
import { LONGEST_READ, findSession } from './request.ts';
import { readUsage, usageOfEvent } from './usage.ts';

/** What a reply amounts to. */
export interface ReplySign {
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
export interface HeardHead {
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
export class ReplySignReader {
  readonly #protocol: TraceProtocol;
  readonly #head: HeardHead | undefined;
  readonly #judge: Judge | undefined;
  readonly #events: EventText | undefined;
  readonly #hearsAnswers: boolean;
  readonly #kept: string[] = [];
  #length = 0;
  #usage: TokenUsage | undefined;
  #session: string | undefined;
  #tasks: readonly TraceName[] = [];

  /** `hears` says whether answers are told too: in a stream of a call's own they are its reply. */
  constructor(
    protocol: TraceProtocol,
    head: HeardHead | undefined,
    hears: 'requests' | 'requests and answers' = 'requests',
  ) {
    this.#hearsAnswers = hears === 'requests and answers';
    this.#protocol = protocol;
    this.#head = head;
    this.#judge = openJudge(protocol);
    if (head && isEventStream(head.headers)) this.#events = new EventText();
  }

  /** Takes text and answers what the agent says in it beside the reply. */
  push(text: string): readonly StreamMessage[] {
    if (this.#events) {
      const events = this.#events.push(text);
      if (this.#protocol === 'a2a') return this.#takeEvents(this.#frameEvents(events));
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
  end(): ReplySign {
    const last = this.#events?.end() ?? [];
    this.#takeEvents(this.#protocol === 'a2a' ? this.#frameEvents(last) : last);
    const kept = this.#kept.join('');
    const text = this.#protocol === 'a2a' && kept !== '' ? frameText(kept) : kept;
    if (text !== '' && !this.#judge?.readsPieces) this.#judge?.push(text);
    const outcome = this.wantsMore ? this.#judge?.end() : undefined;
    const usage = this.#usage ?? readUsage(text);
    const session = this.#session ?? this.#findSession(() => readMessage(this.#protocol, text));
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

  #findFault(text: string): ReplyFault | undefined {
    if (this.#head && this.#head.status !== 200) return undefined;
    if (!this.#events) return this.wantsMore ? findFormFault(this.#protocol, text) : undefined;
    // The streams of other protocols have an end of their own, which their outcome tells.
    if (this.#protocol !== 'mcp' || this.isOver) return undefined;
    return { status: 'incomplete', message: 'The stream ended before the answer came' };
  }

  /** Events of A2A as JSON-RPC, which over HTTP+JSON they are not. */
  #frameEvents(events: readonly { readonly data: string }[]): readonly { readonly data: string }[] {
    const framed = events.map(({ data }) => ({ data: frameText(data) }));
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
    const message = this.#protocol === 'a2a' ? readWrittenJson(text) : undefined;
    return message ? findTaskNames(message) : [];
  }

  #findSession(read: () => Value | undefined): string | undefined {
    const headers = this.#head?.headers ?? [];
    const inHead = findSession(headers, this.#protocol, { kind: 'null' });
    const message = inHead === undefined ? read() : undefined;
    return inHead ?? (message && findSession(headers, this.#protocol, message));
  }

  #judgeHead(judged: Judged | undefined): Pick<ReplySign, 'status' | 'code' | 'message'> {
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
    return status >= 400 || (status >= 300 && status !== 304 && this.#protocol !== 'other');
  }
}

/** What a whole reply without a head amounts to. */
export function readReplySign(protocol: TraceProtocol, text: string): ReplySign {
  const reader = new ReplySignReader(protocol, undefined);
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

/** A reply of A2A as JSON-RPC: over HTTP+JSON it comes without. */
function frameText(text: string): string {
  const value = text.includes('"jsonrpc"') ? undefined : readWrittenJson(text);
  const framed = value && frameRestReply(value);
  return framed && framed !== value ? compactJson(framed, 'written') : text;
}

function readMessage(protocol: TraceProtocol, text: string): Value | undefined {
  if (protocol === 'aicl') return readAiclPieces(text).pieces[0]?.value;
  return mayName(text) ? readWrittenJson(text) : undefined;
}

interface Judged {
  readonly outcome: Outcome;
  /** True where the body is one message of the protocol, so that its form need not be looked at. */
  readonly isOneMessage?: boolean;
  readonly unfinished?: {
    readonly status: 'cancelled' | 'incomplete';
    readonly code?: string;
    readonly message: string;
  };
}

/** Reads what came of a call in the words of one protocol. */
interface Judge {
  push(text: string): void;
  /** True where a body that is no stream of events may say that it is over before it ends. */
  readonly readsPieces: boolean;
  isOver(): boolean;
  end(): Judged;
}

function openJudge(protocol: TraceProtocol): Judge | undefined {
  if (protocol === 'other') return undefined;
  if (protocol === 'aicf') {
    const fold = new AicfReplyFold();
    let isOver = false;
    return {
      push: text => void (isOver = fold.push(text)),
      readsPieces: true,
      isOver: () => isOver,
      end: () => ({ outcome: aicfOutcome(fold.end()) }),
    };
  }
  if (protocol === 'aicl') {
    const fold = new AiclReplyFold();
    return {
      push: text => void fold.push(text),
      readsPieces: true,
      isOver: () => false,
      end: () => ({ outcome: aiclOutcome(fold.end()) }),
    };
  }
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
