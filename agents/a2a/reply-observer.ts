import { A2A } from '../../protocols/a2a/protocol.ts';
import type { Outcome } from '../../core/message/message.ts';
import type { StoredHeader } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import {
  NOT_UTF8,
  type MessageTaker,
  type Reply,
  type ReportedFacts,
  type WireListener,
} from '../connection.ts';
import { ExchangeReader } from '../exchange-reader.ts';
import type { ReplyEvent } from '../../protocols/convert/calls/reply-reader.ts';
import type { HttpHead } from '../http/exchange.ts';
import type { HttpFailure } from '../http/failure.ts';
import { ForeignEvents } from '../http/foreign-events.ts';
import { findPacking } from '../http/packing.ts';
import { ReplyText } from '../http/reply-text.ts';
import { readWithin, UNLIMITED, type ReadingLimits } from '../slices.ts';
import { AnswerCheck } from './answer-check.ts';
import { readTaskUpdate, type PushedUpdate } from './task-update.ts';

/** The limits for reading a reply that has arrived, and the failure if they end it. */
export interface ObserverLimits extends ReadingLimits {
  describeEnd(ended: 'cancelled' | 'timeout'): HttpFailure;
}

/** The result of reading a task that was fetched. */
interface ReadTask {
  readonly outcome: Outcome;
  readonly continuation: Pick<Reply, 'carried' | 'approvals' | 'asks'>;
}

/** Observes one exchange and reads its reply while it arrives: one JSON body, or events. */
export class ReplyObserver implements WireListener {
  readonly #outer: WireListener;
  readonly #body = new ReplyText();
  /** What was read of the reply. */
  readonly reader: ExchangeReader;
  #resolve: () => void = () => undefined;
  /** Resolves when nothing more arrives. */
  readonly ended = new Promise<void>(resolve => (this.#resolve = resolve));
  #head: HttpHead | undefined;
  #isStream = false;
  #isPacked = false;
  /** The comparison of the answers with what A2A requires. */
  readonly check = new AnswerCheck();
  readonly #foreign = new ForeignEvents();
  #hasBegun = false;
  #failure: HttpFailure | undefined;
  #update: PushedUpdate | undefined;
  #last: ReplyEvent | undefined;
  /** What the agent said last while it worked, and how often it said something. */
  #words = '';
  #steps = 0;
  /** Text that has arrived and was not passed on yet. */
  #unreported = '';

  /** `before` is the exchange whose stream this one continues. */
  constructor(outer: WireListener, before?: ReplyObserver) {
    this.#outer = outer;
    this.reader = before ? before.reader : new ExchangeReader(A2A, outer, () => this.text);
    if (before) this.reader.reply.continueStream(() => this.text);
    this.reader.observe = event => {
      if (this.#isStream !== this.reader.reply.isWhole) this.#take(event);
    };
  }

  get messages(): MessageTaker | undefined {
    return this.#outer.messages;
  }

  /** True once its request is being sent. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get statusHead(): HttpHead | undefined {
    return this.#head;
  }

  /** Passes on the messages of a reply that is over. */
  deliver(): void {
    this.reader.deliver();
  }

  /** Reads a task that was fetched: as the last event of this exchange's stream, or as the reply to a message. */
  *taskSteps(task: ReplyEvent): Generator<undefined, ReadTask> {
    const reader = this.#isStream ? this.reader : new ExchangeReader(A2A, this.#outer);
    reader.observe = () => undefined;
    if (this.#isStream) {
      reader.reply.continueStream();
      reader.pushEvent(task);
    } else reader.reply.pushBody(task);
    yield* reader.endSteps();
    reader.deliver();
    return { outcome: reader.reply.outcome, continuation: reader.continuation };
  }

  get text(): string {
    return this.#body.text;
  }

  get isStream(): boolean {
    return this.#isStream;
  }

  get isProtocol(): boolean {
    return this.reader.reply.isProtocol;
  }

  /** Why the reply is incomplete. */
  get failure(): HttpFailure | undefined {
    return this.#failure;
  }

  /** The last message with an update of the task. */
  get last(): ReplyEvent | undefined {
    return this.#last;
  }

  /** The last update of the task. */
  get update(): PushedUpdate | undefined {
    return this.#update;
  }

  /** True when the reply is over, even if its body continues. */
  get isOver(): boolean {
    return this.#isStream && (this.reader.reply.isOver || this.#update?.stage === 'asking');
  }

  /** Its request is being sent, with this body. */
  begin(body: string): void {
    this.#hasBegun = true;
    this.check.begin(body);
  }

  head(direction: 'out' | 'in', line: string, headers: readonly StoredHeader[]): void {
    this.#outer.head(direction, line, headers);
    if (direction === 'out') return;
    this.#head = { status: Number.parseInt(line, 10), line, headers };
    this.#isStream = isEventStream(headers);
    this.#isPacked = findPacking(headers) !== undefined;
  }

  bytes(...observed: Parameters<WireListener['bytes']>): void {
    this.#outer.bytes(...observed);
    const [direction, bytes] = observed;
    if (direction === 'in' && !this.#isPacked) this.#push(this.#body.push(bytes));
  }

  note(text: string): void {
    this.#outer.note(text);
  }

  learn(facts: ReportedFacts): void {
    this.#outer.learn?.(facts);
  }

  progress(): void {
    // Progress is derived from the bytes.
  }

  /** The whole reply has arrived: reads it to its end, within limits. */
  async end(limits: ObserverLimits): Promise<void> {
    this.#push(this.#body.end());
    // After a failed exchange, what has arrived is still read, to its end.
    const reading = await readWithin(this.reader.endSteps(), this.#failure ? UNLIMITED : limits);
    if (reading.ended === 'read') this.#reportUnexpected();
    else this.#failure = limits.describeEnd(reading.ended);
    this.#resolve();
  }

  #reportUnexpected(): void {
    if (!this.#body.isUtf8) this.note(NOT_UTF8);
    if (this.isProtocol) for (const note of this.reader.notes) this.note(note);
    for (const unexpected of this.check.notes) this.note(unexpected);
    if (this.#isStream && this.#foreign.note !== undefined) this.note(this.#foreign.note);
  }

  /** The reply arrived only in part, or not at all. */
  fail(failure: HttpFailure, limits: ObserverLimits): Promise<void> {
    if (!this.isOver) this.#failure = failure;
    return this.end(limits);
  }

  #push(added: string): void {
    if (added === '') return;
    this.reader.push(added);
    if (!this.#isStream) return;
    this.#unreported += added;
    // Text that is not a message is not shown as one.
    if (this.isProtocol) {
      this.#outer.progress(this.#unreported);
      this.#unreported = '';
    }
  }

  #take(event: ReplyEvent): void {
    const value = event.wholeValue;
    this.check.take(event.data, value);
    if (value?.kind !== 'dict' && value?.kind !== 'list') {
      this.#foreign.add();
      return;
    }
    const update = readTaskUpdate(value);
    if (!update) return;
    this.#last = event;
    // An update of an artifact does not contain the state.
    this.#update = update.stage === undefined && this.#update?.id === update.id ? this.#update : update;
    if (update.stage === 'running') this.#report(update.text);
  }

  /** Reports what the agent says while it works; a task that is sent again repeats it. */
  #report(words: string): void {
    if (words === '' || words === this.#words) return;
    this.#words = words;
    this.#outer.step?.({ done: ++this.#steps, message: words });
  }
}
