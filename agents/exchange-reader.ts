import { defined } from '../core/text/fields.ts';
import { Report } from '../core/message/report.ts';
import type { AgentQuestion, Message } from '../core/message/message.ts';
import { ReplyReader, type EventObserver, type ReplyEvent } from '../protocols/convert/calls/reply-reader.ts';
import { NO_TOOLS } from '../language/tools.ts';
import type { Protocol } from '../protocols/protocol.ts';
import { MessageFacts } from '../protocols/recognise/reply-facts.ts';
import type { Reply, WireListener } from './connection.ts';

/** What is needed of the listener of a call. */
type ExchangeListener = Pick<WireListener, 'messages' | 'learn'>;

interface ReplyEnding {
  readonly continuation: Pick<Reply, 'carried' | 'approvals' | 'asks'>;
  readonly question?: AgentQuestion;
  readonly cut?: string;
}

/** Reads the reply of one exchange: its outcome, what it reports and, for a listener that takes them, its messages. */
export class ExchangeReader {
  /** What was read of the reply so far. */
  readonly reply: ReplyReader;
  readonly #listener: ExchangeListener;
  readonly #report: Report;
  readonly #facts: MessageFacts;
  #last: readonly Message[] = [];
  /** Receives each event of a stream, or the parsed body, before it is read. */
  observe: EventObserver = () => undefined;

  /**
   * If the listener takes no messages, only the state of the reply is read. `source` returns all text of the exchange,
   * for a caller that holds it.
   */
  constructor(protocol: Protocol, listener: ExchangeListener, source?: () => string) {
    const { messages } = listener;
    this.#listener = listener;
    this.#report = messages?.report ?? new Report();
    this.#facts = new MessageFacts(protocol);
    const context = messages ?? { tools: NO_TOOLS, report: this.#report };
    this.reply = new ReplyReader(
      protocol,
      context,
      messages ? 'all' : 'outcome',
      event => {
        this.#facts.take(event);
        this.observe(event);
      },
      source,
    );
  }

  push(text: string): void {
    this.#pass(this.reply.push(text));
  }

  /** Takes an event of a stream that continues the reply. */
  pushEvent(event: ReplyEvent): void {
    this.#pass(this.reply.pushEvent(event));
  }

  #pass(messages: readonly Message[]): void {
    if (messages.length > 0) this.#listener.messages?.take(messages);
    if (this.#facts.tasks.length > 0) this.#learn();
  }

  #learn(): void {
    const { usage, tasks } = this.#facts;
    const session = this.reply.body?.session ?? this.#facts.session;
    this.#listener.learn?.({ usage, session, tasks });
  }

  /** Reads the rest in slices. */
  *endSteps(): Generator<undefined, void> {
    this.#last = yield* this.reply.endSteps();
    this.#learn();
  }

  /** Passes on the last messages, once it is known that this exchange is the reply. */
  deliver(): void {
    this.#listener.messages?.takeLast(this.#last);
    this.#last = [];
  }

  /** What is unexpected in the reply; a listener that takes messages has the report itself. */
  get notes(): readonly string[] {
    const reported = this.#listener.messages ? [] : this.#report.notes.map(({ message }) => message);
    return [...(this.reply.body?.notes ?? []), ...reported];
  }

  /** What the next request of the conversation needs. */
  get continuation(): Pick<Reply, 'carried' | 'approvals' | 'asks'> {
    const { carried, approvals, asks } = this.reply;
    return {
      ...(Object.values(carried).some(name => name !== undefined) ? { carried } : {}),
      ...(approvals.length > 0 ? { approvals } : {}),
      ...(asks === undefined ? {} : { asks }),
    };
  }

  /** What continues the conversation, what the agent wants to be answered, and why a reply without its end is incomplete. */
  get ending(): ReplyEnding {
    const { question, cut } = this.reply.body ?? {};
    return defined({ continuation: this.continuation, question, cut });
  }
}
