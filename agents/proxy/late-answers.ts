import { findEntry } from '../../core/values/value.ts';
import { printId } from '../../protocols/recognise/names.ts';
import type { StreamMessage } from '../../protocols/recognise/reply.ts';
import type { RecognisedRequest } from '../../protocols/recognise/request.ts';
import type { Cancelled } from './cancel.ts';
import type { ExchangeOutcome } from './exchange.ts';
import type { EndedReply, ExchangeRecord } from './exchange-record.ts';

/** An exchange whose reply was over before its answer came. */
interface Waiting {
  readonly record: ExchangeRecord;
  readonly id: string;
  /** What came of it where no answer comes any more; undefined where that is so once the stream ends that it waits for. */
  readonly otherwise: ExchangeOutcome | undefined;
}

/** So many wait to be resumed; those that began to wait first do so no longer. */
const MOST_WAITING = 200;

/**
 * Answers of MCP that come over a stream of another exchange: a server of 2024-11-05 takes each message with 202 and answers
 * over the one stream of the session; later ones may end a stream before the answer, which then comes where the caller
 * resumes it (MCP, transports, "Resumability and Redelivery"). Ids belong together within a conversation.
 */
export class LateAnswers {
  readonly #streams = new Set<ExchangeRecord>();
  readonly #waiting = new Set<Waiting>();

  /** A server says what it wants to say in the reply of this exchange. */
  listens(record: ExchangeRecord): void {
    this.#streams.add(record);
  }

  /** True where the answer to an exchange whose reply is over may come otherwise. */
  waits(record: ExchangeRecord, { protocol, kind, id }: RecognisedRequest, reply: EndedReply): boolean {
    if (protocol !== 'mcp' || kind !== 'request' || id === undefined) return false;
    const isTaken = reply.status === 202 && this.#hasStream(record.conversation);
    if (!isTaken && !reply.canResume) return false;
    this.#waiting.add({ record, id, otherwise: isTaken ? undefined : reply.outcome });
    const [first] = this.#waiting;
    if (first && this.#waiting.size > MOST_WAITING) this.#settle(first, UNANSWERED);
    return true;
  }

  /** A stream brings an answer: it is told to the exchange that waits for it. */
  take(stream: ExchangeRecord, { message, text }: StreamMessage): void {
    const found = this.#find(stream.conversation, printId(findEntry(message, 'id')));
    if (!found) return;
    this.#waiting.delete(found);
    found.record.answerElsewhere(text);
  }

  /** A caller takes back what it asked; false where that does not wait. */
  cancel(conversation: string, { id, outcome }: Cancelled): boolean {
    const found = this.#find(conversation, id);
    if (!found) return false;
    this.#waiting.delete(found);
    found.record.settle(outcome);
    return true;
  }

  /** An exchange is over: over its stream no answer comes any more. */
  close(record: ExchangeRecord): void {
    if (!this.#streams.delete(record) || this.#hasStream(record.conversation)) return;
    for (const each of this.#of(record.conversation)) if (!each.otherwise) this.#settle(each, STREAM_ENDED);
  }

  /** A conversation is over. */
  endConversation(conversation: string): void {
    for (const each of this.#of(conversation)) this.#settle(each, UNANSWERED);
  }

  /** Nothing comes any more. */
  stop(outcome: ExchangeOutcome): void {
    for (const each of [...this.#waiting]) this.#settle(each, outcome);
  }

  #settle(waiting: Waiting, outcome: ExchangeOutcome): void {
    this.#waiting.delete(waiting);
    waiting.record.settle(waiting.otherwise ?? outcome);
  }

  #find(conversation: string, id: string | undefined): Waiting | undefined {
    return this.#of(conversation).find(waiting => waiting.id === id);
  }

  #of(conversation: string): readonly Waiting[] {
    return [...this.#waiting].filter(({ record }) => record.conversation === conversation);
  }

  #hasStream(conversation: string): boolean {
    return [...this.#streams].some(stream => stream.conversation === conversation);
  }
}

const STREAM_ENDED: ExchangeOutcome = {
  status: 'incomplete',
  message: "The server's stream ended before the answer came over it",
};

const UNANSWERED: ExchangeOutcome = { status: 'incomplete', message: 'No answer came' };
