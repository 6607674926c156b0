import { MCP } from '../../protocols/mcp/protocol.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { quote } from '../../core/text/quote.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import type { Outgoing, Reply, WireListener } from '../connection.ts';
import type { HttpHead } from '../http/exchange.ts';
import { readWithin } from '../slices.ts';
import { capTimer } from '../timer.ts';
import type { AskedMcp } from './request-text.ts';

/** Why a call came to no whole reply. */
export interface McpFailure {
  readonly kind: string;
  readonly code: string;
  /** One sentence: what was tried, what came, what to do. */
  readonly message: string;
}

/** How far a call had come. */
export interface McpProgress {
  readonly isConnected: boolean;
  /** The status line of the reply to its last request over HTTP; undefined before it came. */
  readonly statusLine: string | undefined;
  /** Bytes of that reply's body; of a process bytes of its output. */
  readonly received: number;
}

/** What a call is besides its request. */
export interface McpCallTerms {
  /** Milliseconds of silence, and for the whole of it; the time that the user takes to answer questions does not count. */
  readonly idle: number;
  readonly total: number | undefined;
  /** Bytes that are kept of what comes after its end. */
  readonly maxLateBytes: number;
  /** Sentences about its end. */
  describeTimeout(kind: 'idle' | 'total', limit: number, progress: McpProgress): McpFailure;
  describeCancelled(progress: McpProgress): McpFailure;
}

/** An answer to a request. */
export interface Answer {
  /** To the letter. */
  readonly text: string;
  /** As JSON. */
  readonly value: unknown;
}

/** The id of a JSON-RPC request. */
export type McpId = string | number;

/** Has the library take an error with these words for the answer to a request. */
export type Refuse = (words: string) => void;

/** What is noted of an answer that the library refuses. */
export const NOT_TAKEN = 'The official client does not take this answer; it is shown as it came';

/** What the library asks before anything of ours goes out. */
export const GREETINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/**
 * One call: hears all that belongs to it, gives itself up after its time, and keeps the exact text of the answers to the
 * requests that were sent for it. What comes after its end is kept with it, up to a limit.
 */
export class McpCall implements WireListener {
  readonly request: Outgoing;
  readonly asked: AskedMcp;
  /** Its reply, however it ends. */
  readonly reply: Promise<Reply>;
  readonly #terms: McpCallTerms;
  readonly #listener: WireListener;
  readonly #ended = new AbortController();
  readonly #told = new Set<string>();
  readonly #answers = new Map<McpId, Answer>();
  /** Requests of it that were answered. */
  readonly #answered = new Set<McpId>();
  /** What the agent is told of its end, where it is told. */
  #reason = 'The call has ended';
  #around = (act: () => void): void => act();
  #resolve: (reply: Reply) => void = () => undefined;
  #isOpen = true;
  /** The id of the last request that was sent for it. */
  #lastId: McpId | undefined;
  #lastMethod = '';
  #refuse: Refuse = () => undefined;
  #head: HttpHead | undefined;
  #body: string[] = [];
  #failure: McpFailure | undefined;
  #isConnected = false;
  #received = 0;
  #late = 0;
  #questions = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #totalTimer: NodeJS.Timeout | undefined;
  #totalLeft: number | undefined;
  #runningSince = 0;

  constructor(request: Outgoing, asked: AskedMcp, terms: McpCallTerms, listener: WireListener) {
    this.request = request;
    this.asked = asked;
    this.#terms = terms;
    this.#listener = listener;
    this.#totalLeft = terms.total;
    this.reply = new Promise(resolve => (this.#resolve = resolve));
    this.#startTimers();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Aborted when it has ended, however; the reason is what the agent is told. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Why its last exchange came to no whole reply, where the library does not tell. */
  get failure(): McpFailure | undefined {
    return this.#failure;
  }

  /** The head and the body of the reply to its last request over HTTP. */
  get answer(): { readonly head: HttpHead | undefined; readonly body: string } {
    return { head: this.#head, body: this.#body.join('') };
  }

  /** The answer to the last request that was sent for it. */
  get told(): Answer | undefined {
    return this.#lastId === undefined ? undefined : this.#answers.get(this.#lastId);
  }

  /** What its end brings about happens in `around`. */
  endWithin(around: (act: () => void) => void): void {
    this.#around = around;
  }

  /** True where a request that was sent for it last has no answer yet. */
  isUnanswered(id: McpId): boolean {
    return this.#isOpen && id === this.#lastId && !this.#answers.has(id);
  }

  /** True where the answer to a request that was sent for it last is here. */
  isAnswered(id: McpId): boolean {
    return this.#isOpen && id === this.#lastId && this.#answers.has(id);
  }

  /** The method of the request that was sent for it last. */
  get lastMethod(): string {
    return this.#lastMethod;
  }

  /** The library has not taken the answer to a request; it is the answer all the same. */
  answerUnread(id: McpId): void {
    const { told } = this;
    if (told === undefined || !this.isAnswered(id) || isUnfinished(told)) return;
    if (GREETINGS.has(this.#lastMethod)) {
      // Nothing was asked yet: an answer to this is none to the call, and the library would wait for another.
      this.#refuse(`its answer to ${this.#lastMethod} is not what MCP wants there`);
      return;
    }
    this.note(NOT_TAKEN);
    this.answerWith(told);
  }

  /** The stream in which the answer to a request was to come is over without it. */
  endUnanswered(id: McpId): void {
    if (this.isUnanswered(id)) this.#refuse(`it ended its reply before the answer to ${this.#lastMethod}`);
  }

  /**
   * An error without the id of a request, which JSON-RPC has for requests that could not be read. It is the answer to the
   * request that was sent for it last, where that has none yet.
   */
  takeNameless(text: string): void {
    const id = this.#lastId;
    if (id === undefined || !this.isUnanswered(id)) return;
    this.note(
      `The agent told an error that names no request; it is taken for the answer to '${this.#lastMethod}'`,
    );
    this.takeAnswer(id, { text, value: parseJson(text) });
    this.#refuse('it told an error that names no request');
  }

  /** A request goes out for it; only the text of the answer to the last one is kept. */
  sends(id: McpId, method: string, refuse: Refuse): void {
    this.#lastId = id;
    this.#lastMethod = method;
    this.#refuse = refuse;
    this.#answers.clear();
    this.#answered.delete(id);
    this.#failure = undefined;
  }

  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void {
    if (this.#isOpen) this.#waitIdle();
    this.#isConnected = true;
    this.#listener.head(direction, line, headers);
  }

  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array): void {
    if (this.#isOpen) {
      if (direction === 'in') this.#received += bytes.length;
      if (direction !== 'stderr') this.#waitIdle();
      this.#listener.bytes(direction, bytes);
      return;
    }
    const room = this.#terms.maxLateBytes - this.#late;
    if (room > 0) this.#listener.bytes(direction, bytes.subarray(0, room));
    if (bytes.length > room)
      this.note('More came after the call had ended than is kept; the rest of it is left out');
    this.#late += bytes.length;
  }

  note(text: string): void {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.#listener.note(text);
  }

  progress(added: string): void {
    this.#listener.progress(added);
  }

  secret(value: string): void {
    this.#listener.secret?.(value);
  }

  /** Something of it came that is not told yet: it is not idle. */
  touch(): void {
    if (this.#isOpen) this.#waitIdle();
  }

  /** The exchange of a request of its own begins. */
  beginExchange(): void {
    this.#head = undefined;
    this.#body = [];
    this.#received = 0;
  }

  takeHead(head: HttpHead): void {
    this.#head = head;
  }

  takeBody(text: string): void {
    if (this.#isOpen) this.#body.push(text);
  }

  /** True where the request that was sent for it last waits for its answer. */
  get isWaiting(): boolean {
    return this.#lastId !== undefined && this.isUnanswered(this.#lastId);
  }

  /** The answer to a request that was sent for it. The first one counts. */
  takeAnswer(id: McpId, answer: Answer): void {
    if (this.#answered.has(id)) {
      this.note(
        `The agent answered a request twice (id ${quote(String(id))}): the first answer counts, the other is in what came over the wire`,
      );
      return;
    }
    this.#answered.add(id);
    if (this.#isOpen && id === this.#lastId) this.#answers.set(id, answer);
  }

  takeFailure(failure: McpFailure): void {
    if (this.#isOpen) this.#failure = failure;
  }

  /** Waits for an answer of the user; that time does not count. */
  async whileAsking<T>(answer: Promise<T>): Promise<T> {
    if (this.#questions++ === 0) this.#stopTimers();
    try {
      return await answer;
    } finally {
      if (--this.#questions === 0 && this.#isOpen) this.#startTimers();
    }
  }

  /** It has ended with a message of the protocol, whose outcome is the call's. */
  answerWith(answer: Answer): void {
    if (!this.#isOpen) return;
    this.progress(answer.text);
    if (isSound(answer.value)) this.settle(this.readAnswer(answer));
    else void this.#settleInSlices(answer);
  }

  /** A failure is read to say what it is, unless the call ends before that. */
  async #settleInSlices(answer: Answer): Promise<void> {
    const limits = { signals: [this.ended], deadline: undefined };
    const reading = await readWithin(answerSteps(answer), limits);
    if (reading.ended === 'read') this.settle(reading.result);
  }

  /** The reply that a message of the protocol amounts to. */
  readAnswer(answer: Answer): Reply {
    return runAtOnce(answerSteps(answer));
  }

  /** It has come to no answer. `text` is what came instead. */
  failWith({ kind, code, message }: McpFailure, text = this.told?.text ?? this.answer.body): void {
    const broken = this.#head !== undefined && text !== '' && kind !== 'not-http' ? 'incomplete' : 'error';
    const status = kind === 'cancelled' ? 'cancelled' : broken;
    this.settle({ status, code, message, text, isProtocol: false });
  }

  /** The user gives it up. */
  cancel(): void {
    if (!this.#isOpen) return;
    this.#reason = 'The user stopped the call';
    this.failWith(this.#terms.describeCancelled(this.#progress()));
  }

  settle(reply: Reply): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stopTimers();
    this.#answers.clear();
    this.#body = [];
    this.#resolve(reply);
    this.#around(() => this.#ended.abort(this.#reason));
  }

  #progress(): McpProgress {
    return {
      isConnected: this.#isConnected,
      statusLine: this.#head?.line,
      received: this.#received,
    };
  }

  #startTimers(): void {
    this.#runningSince = performance.now();
    if (this.#totalLeft !== undefined)
      this.#totalTimer = setTimeout(() => this.#giveUp('total'), capTimer(this.#totalLeft));
    this.#waitIdle();
  }

  #stopTimers(): void {
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#totalTimer);
    this.#idleTimer = undefined;
    if (this.#totalLeft !== undefined) this.#totalLeft -= performance.now() - this.#runningSince;
  }

  #waitIdle(): void {
    if (this.#questions > 0) return;
    if (this.#idleTimer) this.#idleTimer.refresh();
    else this.#idleTimer = setTimeout(() => this.#giveUp('idle'), capTimer(this.#terms.idle));
  }

  #giveUp(kind: 'idle' | 'total'): void {
    this.#reason = 'The call took too long';
    const limit = kind === 'idle' ? this.#terms.idle : (this.#terms.total ?? this.#terms.idle);
    this.failWith(this.#terms.describeTimeout(kind, limit, this.#progress()));
  }
}

/** The reply that an answer amounts to. */
function* answerSteps({ text, value }: Answer): Generator<undefined, Reply> {
  // Who shows it reads it; here it only counts whether it went well.
  if (isSound(value)) return { status: 'ok', text, isProtocol: true };
  const reader = new ReplyReader(MCP, NO_TOOLS, new Report(), 'outcome');
  reader.push(text);
  yield* reader.endSteps();
  const { outcome } = reader;
  if (outcome.kind !== 'error') return { status: 'ok', text, isProtocol: true };
  const code = outcome.code === undefined ? {} : { code: outcome.code };
  return { status: 'error', ...code, message: outcome.text, text, isProtocol: true };
}

/** An answer that asks for more (MCP 2026-07-28). */
export function isUnfinished({ value }: Answer): boolean {
  return readFields(readFields(value)?.get('result'))?.get('resultType') === 'input_required';
}

/** True for a result that is a dictionary and no failure: all others are read to say what they are. */
function isSound(answer: unknown): boolean {
  const fields = readFields(answer);
  const result = readFields(fields?.get('result'));
  return result !== undefined && result.get('isError') !== true && fields?.has('error') === false;
}
