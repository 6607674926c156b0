import { Report } from '../core/message/report.ts';
import type { AgentQuestion, Message, Outcome } from '../core/message/message.ts';
import { ReplyReader, type EventObserver } from '../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../protocols/convert/read-text.ts';
import type { Protocol, UnfinishedReply } from '../protocols/protocol.ts';
import type { MessageTaker } from './connection.ts';

/** Reads the reply of one exchange: its outcome and, for a taker, its messages. */
export class ExchangeReader {
  readonly #taker: MessageTaker | undefined;
  readonly #report: Report;
  readonly #reader: ReplyReader;
  #last: readonly Message[] = [];
  /** Receives each event of a stream before it is read. */
  observe: EventObserver = () => undefined;

  /**
   * Without a taker only the state of the reply is read. `source` returns all text of the exchange, for a caller that
   * holds it.
   */
  constructor(protocol: Protocol, taker: MessageTaker | undefined, source?: () => string) {
    this.#taker = taker;
    this.#report = taker?.report ?? new Report();
    const context = taker ?? { tools: NO_TOOLS, report: this.#report };
    this.#reader = new ReplyReader(
      protocol,
      context,
      taker ? 'all' : 'outcome',
      event => this.observe(event),
      source,
    );
  }

  push(text: string): void {
    const messages = this.#reader.push(text);
    if (messages.length > 0) this.#taker?.take(messages);
  }

  /** Reads the rest in slices. */
  *endSteps(): Generator<undefined, void> {
    this.#last = yield* this.#reader.endSteps();
  }

  /** Passes on the last messages, once it is known that this exchange is the reply. */
  deliver(): void {
    this.#taker?.takeLast(this.#last);
    this.#last = [];
  }

  /** Begins the text of another exchange that continues the stream; state and outcome are those of that text. */
  continueStream(source?: () => string): void {
    this.#reader.continueStream(source);
  }

  get isTooLarge(): boolean {
    return this.#reader.isTooLarge;
  }

  get isWhole(): boolean {
    return this.#reader.isWhole;
  }

  /** The number of characters so far that may be shown; undefined for a body of which nothing is shown before its end. */
  get shownTo(): number | undefined {
    return this.#reader.shownTo;
  }

  get isProtocol(): boolean {
    return this.#reader.isProtocol;
  }

  get isOver(): boolean {
    return this.#reader.isOver;
  }

  get outcome(): Outcome {
    return this.#reader.outcome;
  }

  get unfinished(): UnfinishedReply | undefined {
    return this.#reader.unfinished;
  }

  /** What is unexpected in the reply; a taker has the report itself. */
  get notes(): readonly string[] {
    const reported = this.#taker ? [] : this.#report.notes.map(({ message }) => message);
    return [...(this.#reader.body?.notes ?? []), ...reported];
  }

  /** What the agent wants to be answered, and why a reply is incomplete whose end is missing. */
  get ending(): { readonly question?: AgentQuestion; readonly cut?: string } {
    const { question, cut } = this.#reader.body ?? {};
    return { ...(question ? { question } : {}), ...(cut === undefined ? {} : { cut }) };
  }
}
