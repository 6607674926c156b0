import { A2A } from '../../protocols/a2a/protocol.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import { strictJsonSteps } from '../../language/values/json-reader.ts';
import type { Outcome } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import type { StoredHeader } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import { NOT_UTF8, type WireListener } from '../connection.ts';
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

/** Observes one exchange and reads its reply while it arrives: one JSON body, or events. */
export class ReplyObserver implements WireListener {
  readonly #outer: WireListener;
  readonly #body = new ReplyText();
  readonly #report = new Report();
  // The reply is read where it is shown; here only its outcome matters.
  readonly #reader = new ReplyReader(
    A2A,
    { tools: NO_TOOLS, report: this.#report },
    'outcome',
    ({ data, value }) => {
      if (this.#isStream) this.#learn(data, value);
    },
  );
  #resolve: () => void = () => undefined;
  /** Resolves when nothing more arrives. */
  readonly ended = new Promise<void>(resolve => (this.#resolve = resolve));
  #head: HttpHead | undefined;
  #isStream = false;
  #isPacked = false;
  readonly #check = new AnswerCheck();
  readonly #foreign = new ForeignEvents();
  #hasBegun = false;
  #failure: HttpFailure | undefined;
  #update: PushedUpdate | undefined;
  /** Text that has arrived and was not passed on yet. */
  #unreported = '';

  constructor(outer: WireListener) {
    this.#outer = outer;
  }

  /** True once its request is being sent. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  get statusHead(): HttpHead | undefined {
    return this.#head;
  }

  get text(): string {
    return this.#body.text;
  }

  get isStream(): boolean {
    return this.#isStream;
  }

  get isProtocol(): boolean {
    return this.#reader.isProtocol;
  }

  get outcome(): Outcome {
    return this.#reader.outcome;
  }

  /** The comparison of the answers with what A2A requires. */
  get check(): AnswerCheck {
    return this.#check;
  }

  /** Why the reply is incomplete. */
  get failure(): HttpFailure | undefined {
    return this.#failure;
  }

  /** The last update of the task. */
  get update(): PushedUpdate | undefined {
    return this.#update;
  }

  /** True when the reply is over, even if its body continues. */
  get isOver(): boolean {
    return this.#isStream && (this.#reader.isOver || this.#update?.stage === 'asking');
  }

  /** Its request is being sent, with this body. */
  begin(body: string): void {
    this.#hasBegun = true;
    this.#check.begin(body);
  }

  head(direction: 'out' | 'in', line: string, headers: readonly StoredHeader[]): void {
    this.#outer.head(direction, line, headers);
    if (direction === 'out') return;
    this.#head = { status: Number.parseInt(line, 10), line, headers };
    this.#isStream = isEventStream(headers);
    this.#isPacked = findPacking(headers) !== undefined;
  }

  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array, rest?: 'more'): void {
    this.#outer.bytes(direction, bytes, rest);
    if (direction === 'in' && !this.#isPacked) this.#take(this.#body.push(bytes));
  }

  note(text: string): void {
    this.#outer.note(text);
  }

  progress(): void {
    // Progress is derived from the bytes.
  }

  /** The whole reply has arrived: reads it to its end, within limits. */
  async end(limits: ObserverLimits): Promise<void> {
    this.#take(this.#body.end());
    // After a failed exchange, what has arrived is still read, to its end.
    const reading = await readWithin(this.#endSteps(), this.#failure ? UNLIMITED : limits);
    if (reading.ended === 'read') this.#reportUnexpected();
    else this.#failure = limits.describeEnd(reading.ended);
    this.#resolve();
  }

  *#endSteps(): Generator<undefined, void> {
    yield* this.#reader.endSteps();
    if (!this.#isStream) this.#learn(this.text, (yield* strictJsonSteps(this.text))?.value);
  }

  #reportUnexpected(): void {
    if (!this.#body.isUtf8) this.note(NOT_UTF8);
    if (this.isProtocol) for (const { message } of this.#report.notes) this.note(message);
    for (const unexpected of this.#check.notes) this.note(unexpected);
    if (this.#isStream && this.#foreign.note !== undefined) this.note(this.#foreign.note);
  }

  /** The reply arrived only in part, or not at all. */
  fail(failure: HttpFailure, limits: ObserverLimits): Promise<void> {
    if (!this.isOver) this.#failure = failure;
    return this.end(limits);
  }

  #take(added: string): void {
    if (added === '') return;
    this.#reader.push(added);
    if (!this.#isStream) return;
    this.#unreported += added;
    // Text that is not a message is not shown as one.
    if (this.#reader.isProtocol) {
      this.#outer.progress(this.#unreported);
      this.#unreported = '';
    }
  }

  #learn(data: string, value: Value | undefined): void {
    this.#check.take(data, value);
    if (value?.kind !== 'dict' && value?.kind !== 'list') {
      this.#foreign.add();
      return;
    }
    const update = readTaskUpdate(value);
    if (!update) return;
    // An update of an artifact does not contain the state.
    this.#update = update.stage === undefined && this.#update?.id === update.id ? this.#update : update;
  }
}
