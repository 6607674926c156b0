import { A2A } from '../../protocols/a2a/protocol.ts';
import { ReplyReader } from '../../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../../protocols/convert/read-text.ts';
import { Report } from '../../core/message/report.ts';
import { strictJsonSteps } from '../../language/values/json-reader.ts';
import type { Outcome } from '../../core/message/outcome.ts';
import type { Value } from '../../core/values/value.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { isEventStream } from '../../core/events/headers.ts';
import { NOT_UTF8, type WireListener } from '../connection.ts';
import type { HttpHead } from '../http/exchange.ts';
import type { HttpFailure } from '../http/failure.ts';
import { ForeignEvents } from '../http/foreign-events.ts';
import { findPacking } from '../http/packing.ts';
import { ReplyText } from '../http/reply-text.ts';
import { readWithin, UNLIMITED, type ReadingLimits } from '../slices.ts';
import { AnswerCheck } from './answer-check.ts';
import { readTaskUpdate, type PushedUpdate } from './task-news.ts';

/** What bounds the reading of a reply that has come, and what is said where that ends it. */
export interface HearingLimits extends ReadingLimits {
  describeEnd(ended: 'cancelled' | 'timeout'): HttpFailure;
}

/** Hears one exchange and reads its reply while it comes: one body of JSON, or events. */
export class Hearing implements WireListener {
  readonly #outer: WireListener;
  readonly #body = new ReplyText();
  readonly #report = new Report();
  // Who shows the reply reads it; here it only counts how it went.
  readonly #reader = new ReplyReader(A2A, NO_TOOLS, this.#report, 'outcome', (data, value) => {
    if (this.#isStream) this.#learn(data, value);
  });
  #resolve: () => void = () => undefined;
  /** Resolves when nothing more comes. */
  readonly ended = new Promise<void>(resolve => (this.#resolve = resolve));
  #head: HttpHead | undefined;
  #isStream = false;
  #isPacked = false;
  readonly #check = new AnswerCheck();
  readonly #foreign = new ForeignEvents();
  #hasBegun = false;
  #failure: HttpFailure | undefined;
  #news: PushedUpdate | undefined;
  /** What came and is not told yet. */
  #untold = '';

  constructor(outer: WireListener) {
    this.#outer = outer;
  }

  /** True once its request is on its way. */
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

  /** How what came stands against what A2A answers. */
  get check(): AnswerCheck {
    return this.#check;
  }

  /** Why the reply is not whole. */
  get failure(): HttpFailure | undefined {
    return this.#failure;
  }

  /** What was told of the task last. */
  get news(): PushedUpdate | undefined {
    return this.#news;
  }

  /** True when the reply is over, also where its body goes on. */
  get isOver(): boolean {
    return this.#isStream && (this.#reader.isOver || this.#news?.stage === 'asking');
  }

  /** Its request goes out with a body. */
  begin(body: string): void {
    this.#hasBegun = true;
    this.#check.begin(body);
  }

  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void {
    this.#outer.head(direction, line, headers);
    if (direction === 'out') return;
    this.#head = { status: Number.parseInt(line, 10), line, headers };
    this.#isStream = isEventStream(headers);
    this.#isPacked = findPacking(headers) !== undefined;
  }

  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array): void {
    this.#outer.bytes(direction, bytes);
    if (direction === 'in' && !this.#isPacked) this.#take(this.#body.push(bytes));
  }

  note(text: string): void {
    this.#outer.note(text);
  }

  progress(): void {
    // What is told follows from the bytes.
  }

  /** All of the reply has come: it is read to its end within limits. */
  async end(limits: HearingLimits): Promise<void> {
    this.#take(this.#body.end());
    // What came of an exchange that failed is read all the same, to its end.
    const reading = await readWithin(this.#endSteps(), this.#failure ? UNLIMITED : limits);
    if (reading.ended === 'read') this.#tellOdd();
    else this.#failure = limits.describeEnd(reading.ended);
    this.#resolve();
  }

  *#endSteps(): Generator<undefined, void> {
    yield* this.#reader.endSteps();
    if (!this.#isStream) this.#learn(this.text, (yield* strictJsonSteps(this.text))?.value);
  }

  #tellOdd(): void {
    if (!this.#body.isUtf8) this.note(NOT_UTF8);
    if (this.isProtocol) for (const { message } of this.#report.notes) this.note(message);
    for (const odd of this.#check.notes) this.note(odd);
    if (this.#isStream && this.#foreign.note !== undefined) this.note(this.#foreign.note);
  }

  /** The reply came in part, or not at all. */
  fail(failure: HttpFailure, limits: HearingLimits): Promise<void> {
    if (!this.isOver) this.#failure = failure;
    return this.end(limits);
  }

  #take(added: string): void {
    if (added === '') return;
    this.#reader.push(added);
    if (!this.#isStream) return;
    this.#untold += added;
    // What is no message is not shown as one.
    if (this.#reader.isProtocol) {
      this.#outer.progress(this.#untold);
      this.#untold = '';
    }
  }

  #learn(data: string, value: Value | undefined): void {
    this.#check.take(data, value);
    if (value?.kind !== 'dict' && value?.kind !== 'list') {
      this.#foreign.add();
      return;
    }
    const news = readTaskUpdate(value);
    if (!news) return;
    // An artifact says nothing of the state.
    this.#news = news.stage === undefined && this.#news?.id === news.id ? this.#news : news;
  }
}
