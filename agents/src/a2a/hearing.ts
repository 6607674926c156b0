import { ReplyReader } from '../../../protocol/src/convert/asked/reply-reader.ts';
import { NO_TOOLS } from '../../../protocol/src/convert/read-text.ts';
import { Report } from '../../../protocol/src/convert/report.ts';
import { EventText } from '../../../protocol/src/fold/response/event-text.ts';
import type { Outcome } from '../../../protocol/src/message/outcome.ts';
import { parseJson } from '../../../protocol/src/text/json.ts';
import type { KeptHeader } from '../../../protocol/src/trace/events.ts';
import type { WireListener } from '../connection.ts';
import type { HttpHead } from '../http/exchange.ts';
import type { HttpFailure } from '../http/failure.ts';
import { ReplyText } from '../http/reply-text.ts';
import { readTaskNews, type TaskNews } from './task-news.ts';

/** Hears one exchange and reads its reply while it comes: one body of JSON, or events. */
export class Hearing implements WireListener {
  readonly #outer: WireListener;
  readonly #body = new ReplyText();
  readonly #report = new Report();
  readonly #reader = new ReplyReader('a2a', NO_TOOLS, this.#report);
  readonly #events = new EventText();
  readonly #enough = new AbortController();
  #resolve: () => void = () => undefined;
  /** Resolves when nothing more comes. */
  readonly ended = new Promise<void>(resolve => (this.#resolve = resolve));
  #head: HttpHead | undefined;
  #isStream = false;
  #hasBegun = false;
  #failure: HttpFailure | undefined;
  #news: TaskNews | undefined;
  #told = 0;

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

  /** Why the reply is not whole. */
  get failure(): HttpFailure | undefined {
    return this.#failure;
  }

  /** What was told of the task last. */
  get news(): TaskNews | undefined {
    return this.#news;
  }

  /** Aborted when the reply is over although its body goes on. */
  get enough(): AbortSignal {
    return this.#enough.signal;
  }

  begin(): void {
    this.#hasBegun = true;
  }

  head(direction: 'out' | 'in', line: string, headers: readonly KeptHeader[]): void {
    this.#outer.head(direction, line, headers);
    if (direction === 'out') return;
    this.#head = { status: Number.parseInt(line, 10), line, headers };
    const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
    this.#isStream = type.startsWith('text/event-stream');
  }

  bytes(direction: 'out' | 'in' | 'stderr', bytes: Uint8Array): void {
    this.#outer.bytes(direction, bytes);
    if (direction === 'in') this.#take(this.#body.push(bytes));
  }

  note(text: string): void {
    this.#outer.note(text);
  }

  progress(): void {
    // What is told follows from the bytes.
  }

  /** All of the reply has come. */
  end(): void {
    this.#take(this.#body.end());
    if (this.#isStream) this.#learn(this.#events.end().map(({ data }) => data));
    else this.#learn([this.text]);
    this.#reader.end();
    if (!this.#body.isUtf8) this.note('The reply is not UTF-8; what could not be read shows as U+FFFD');
    if (this.isProtocol) for (const { message } of this.#report.notes) this.note(message);
    this.#resolve();
  }

  /** The reply came in part, or not at all. */
  fail(failure: HttpFailure): void {
    // We ended it ourselves when it was over.
    if (!this.#enough.signal.aborted) this.#failure = failure;
    this.end();
  }

  #take(added: string): void {
    if (added === '') return;
    this.#reader.push(added);
    if (!this.#isStream) return;
    this.#learn(this.#events.push(added).map(({ data }) => data));
    // What is no message is not shown as one.
    if (this.#reader.isProtocol && this.#told < this.text.length) {
      this.#outer.progress(this.text.slice(this.#told));
      this.#told = this.text.length;
    }
    if (this.#reader.isOver || this.#news?.stage === 'asking') this.#enough.abort();
  }

  #learn(messages: readonly string[]): void {
    for (const message of messages) {
      const news = readTaskNews(parseJson(message));
      if (!news) continue;
      // An artifact says nothing of the state.
      this.#news = news.stage === undefined && this.#news?.id === news.id ? this.#news : news;
    }
  }
}
