import { NoteOnce } from '../../core/message/report.ts';
import { readFields, readNumber, readText } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { quote } from '../../core/text/quote.ts';
import type { ProgressStep } from '../../core/message/message.ts';
import type { ExchangeNumber, StoredHeader } from '../../core/events/events.ts';
import type { Outgoing, Reply, WireListener } from '../connection.ts';
import type { HttpHead } from '../http/exchange.ts';
import { readWithin } from '../slices.ts';
import { CallTimers } from '../timer.ts';
import { answerSteps, isSound, isUnfinished, NOT_TAKEN, type Answer } from './answer.ts';
import type { McpCallTerms, McpFailure, McpProgress } from './call-terms.ts';
import type { McpRequest } from './request-text.ts';

/** The id of a JSON-RPC request. */
export type McpId = string | number;

/** Passes an error with these words to the library as the answer to a request. */
export type Refuse = (words: string) => void;

/** The requests that the library sends before any of ours. */
export const GREETINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/**
 * One call: receives everything that belongs to it, ends itself after its time-out, and stores the exact text
 * of the answers to its requests. What arrives after its end is stored with it, up to a limit.
 */
export class McpCall implements WireListener {
  readonly request: Outgoing;
  readonly parsed: McpRequest;
  /** Its reply, however the call ends. */
  readonly reply: Promise<Reply>;
  readonly #terms: McpCallTerms;
  readonly #listener: WireListener;
  readonly #ended = new AbortController();
  readonly #notes: NoteOnce;
  /** The answer to the last request that was sent for it. */
  #latest: Answer | undefined;
  /** The ids of its requests that were answered. */
  readonly #answered = new Set<McpId>();
  /** The reason for its end that the agent receives, if it is informed. */
  #reason = 'The call has ended';
  #around = (act: () => void): void => act();
  #resolve: (reply: Reply) => void = () => undefined;
  #isOpen = true;
  /** The id of the last request that was sent for it. */
  #lastId: McpId | undefined;
  #lastMethod = '';
  #refuse: Refuse = () => undefined;
  #head: HttpHead | undefined;
  /** Returns the text of the reply so far; its exchange holds it. */
  #body: () => string = () => '';
  #failure: McpFailure | undefined;
  #isConnected = false;
  #received = 0;
  #late = 0;
  #questions = 0;
  readonly #timers: CallTimers;

  constructor(request: Outgoing, parsed: McpRequest, terms: McpCallTerms, listener: WireListener) {
    this.request = request;
    this.parsed = parsed;
    this.#terms = terms;
    this.#listener = listener;
    this.#notes = new NoteOnce(listener);
    this.reply = new Promise(resolve => (this.#resolve = resolve));
    this.#timers = new CallTimers(terms.idle, terms.total, kind => this.#giveUp(kind));
    this.#timers.start();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Aborted when the call has ended, in whatever way; the reason is what the agent receives. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Why its last exchange had no complete reply, which the library does not always report. */
  get failure(): McpFailure | undefined {
    return this.#failure;
  }

  /** The head and the body of the reply to its last request over HTTP. */
  get answer(): { readonly head: HttpHead | undefined; readonly body: string } {
    return { head: this.#head, body: this.#body() };
  }

  /** The answer to the last request that was sent for it. */
  get reported(): Answer | undefined {
    return this.#latest;
  }

  /** `around` encloses everything that its end triggers. */
  endWithin(around: (act: () => void) => void): void {
    this.#around = around;
  }

  /** True if this is the last request that was sent for it and has no answer yet. */
  isUnanswered(id: McpId): boolean {
    return this.#isOpen && id === this.#lastId && !this.#latest;
  }

  /** True if this is the last request that was sent for it and its answer has arrived. */
  isAnswered(id: McpId): boolean {
    return this.#isOpen && id === this.#lastId && this.#latest !== undefined;
  }

  /** The method of the last request that was sent for it. */
  get lastMethod(): string {
    return this.#lastMethod;
  }

  /** The library has rejected the answer to a request; it still counts as the answer. */
  answerUnread(id: McpId): void {
    const { reported } = this;
    if (reported === undefined || !this.isAnswered(id) || isUnfinished(reported)) return;
    if (GREETINGS.has(this.#lastMethod)) {
      // The call's own request was not sent yet, so this is not its answer, and the library would wait for another.
      this.#refuse(`its answer to ${this.#lastMethod} is not what MCP requires there`);
      return;
    }
    this.note(NOT_TAKEN);
    this.answerWith(reported);
  }

  /** The stream that should have contained the answer to a request has ended without it. */
  endUnanswered(id: McpId): void {
    if (this.isUnanswered(id)) this.#refuse(`it ended its reply before the answer to ${this.#lastMethod}`);
  }

  /**
   * Takes an error without a request id, which JSON-RPC has for requests that could not be read. It counts as
   * the answer to the last request that was sent for the call, if that has none yet.
   */
  takeNameless(text: string): void {
    const id = this.#lastId;
    if (id === undefined || !this.isUnanswered(id)) return;
    this.note(
      `The agent sent an error without a request id; it is treated as the answer to '${this.#lastMethod}'`,
    );
    this.takeAnswer(id, { text, value: parseJson(text) });
    this.#refuse('it sent an error without a request id');
  }

  /** A request is sent for the call; only the text of the answer to the last one is stored. */
  sends(id: McpId, method: string, refuse: Refuse): void {
    this.#lastId = id;
    this.#lastMethod = method;
    this.#refuse = refuse;
    this.#latest = undefined;
    this.#answered.delete(id);
    this.#failure = undefined;
  }

  head(
    direction: 'out' | 'in',
    line: string,
    headers: readonly StoredHeader[],
    exchange?: ExchangeNumber,
  ): void {
    this.#timers.touch();
    this.#isConnected = true;
    this.#listener.head(direction, line, headers, exchange);
  }

  bytes(...observed: Parameters<WireListener['bytes']>): void {
    const [direction, bytes, , exchange, chunks] = observed;
    if (this.#isOpen) {
      if (direction === 'in') this.#received += bytes.length;
      if (direction !== 'stderr') this.#timers.touch();
      this.#listener.bytes(...observed);
      return;
    }
    const remaining = this.#terms.maxLateBytes - this.#late;
    if (remaining > 0)
      this.#listener.bytes(direction, bytes.subarray(0, remaining), undefined, exchange, chunks);
    if (bytes.length > remaining)
      this.note('More data arrived after the call had ended than is recorded; the rest is left out');
    this.#late += bytes.length;
  }

  note(text: string): void {
    this.#notes.note(text);
  }

  progress(added: string): void {
    this.#listener.progress(added);
  }

  secret(value: string): void {
    this.#listener.secret?.(value);
  }

  /** Something of it has arrived that is not reported yet: it is not idle. */
  touch(): void {
    this.#timers.touch();
  }

  /** The agent reports how far it is. */
  step(step: ProgressStep): void {
    this.touch();
    if (this.#isOpen) this.#listener.step?.(step);
  }

  /** Takes the notification of its progress, which the library would lose if the answer follows at once. */
  takeProgress(notification: unknown): void {
    const params = readFields(readFields(notification)?.get('params'));
    const done = readNumber(params?.get('progress'));
    if (done === undefined) return;
    this.step({ done, total: readNumber(params?.get('total')), message: readText(params?.get('message')) });
  }

  /** The exchange of one of its requests begins; `body` returns the text of the reply so far. */
  beginExchange(body: () => string): void {
    this.#head = undefined;
    this.#body = body;
    this.#received = 0;
  }

  takeHead(head: HttpHead): void {
    this.#head = head;
  }

  /** True if the last request that was sent for it waits for its answer. */
  get isWaiting(): boolean {
    return this.#lastId !== undefined && this.isUnanswered(this.#lastId);
  }

  /** Takes the answer to one of its requests. The first answer counts. */
  takeAnswer(id: McpId, answer: Answer): void {
    if (this.#answered.has(id)) {
      this.note(
        `The agent answered a request twice (id ${quote(String(id))}): the first answer counts, the other is in the raw reply`,
      );
      return;
    }
    this.#answered.add(id);
    if (this.#isOpen && id === this.#lastId) this.#latest = answer;
  }

  takeFailure(failure: McpFailure): void {
    if (this.#isOpen) this.#failure = failure;
  }

  /** Waits for an answer of the user; this time does not count. */
  async whileAsking<T>(answer: Promise<T>): Promise<T> {
    if (this.#questions++ === 0) this.#timers.stop();
    try {
      return await answer;
    } finally {
      if (--this.#questions === 0 && this.#isOpen) this.#timers.start();
    }
  }

  /** Ends the call with a message of the protocol, whose outcome is the call's. */
  answerWith(answer: Answer): void {
    if (!this.#isOpen) return;
    this.progress(answer.text);
    if (!this.#listener.messages && isSound(answer))
      this.settle({ status: 'ok', text: answer.text, isProtocol: true });
    else void this.#settleInSlices(answer);
  }

  /**
   * A failure is read to describe it, and any other answer for its usage and for a caller that takes its messages,
   * unless the call ends first.
   */
  async #settleInSlices(answer: Answer): Promise<void> {
    const limits = { signals: [this.ended], deadline: undefined };
    const reading = await readWithin(answerSteps(answer, this.#listener), limits);
    if (reading.ended === 'read') this.settle(reading.result);
  }

  /** The reply for a message of the protocol. */
  readAnswer(answer: Answer): Reply {
    return runAtOnce(answerSteps(answer, this.#listener));
  }

  /** Ends the call without an answer. */
  failWith({ kind, code, message }: McpFailure): void {
    const text = this.reported?.text ?? this.answer.body;
    const broken = this.#head !== undefined && text !== '' && kind !== 'not-http' ? 'incomplete' : 'error';
    const status = kind === 'cancelled' ? 'cancelled' : broken;
    this.settle({ status, code, message, text, isProtocol: false });
  }

  /** The user cancels the call. */
  cancel(): void {
    if (!this.#isOpen) return;
    this.#reason = 'The user stopped the call';
    this.failWith(this.#terms.describeCancelled(this.#progress()));
  }

  settle(reply: Reply): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#timers.stop();
    this.#latest = undefined;
    this.#body = () => '';
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

  #giveUp(kind: 'idle' | 'total'): void {
    this.#reason = 'The call took too long';
    const limit = kind === 'idle' ? this.#terms.idle : (this.#terms.total ?? this.#terms.idle);
    this.failWith(this.#terms.describeTimeout(kind, limit, this.#progress()));
  }
}
