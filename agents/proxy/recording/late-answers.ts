import type { Protocols } from '../../../protocols/protocol.ts';
import { findEntry } from '../../../core/values/value.ts';
import { printId } from '../../../protocols/recognise/names.ts';
import type { StreamMessage } from '../../../protocols/recognise/reply-facts.ts';
import type { RecognisedRequest } from '../../../protocols/recognise/request.ts';
import type { Cancelled } from './cancel.ts';
import type { ExchangeOutcome } from '../exchange.ts';
import type { EndedReply, ExchangeRecord } from './exchange-record.ts';

/** An exchange whose reply ended before its answer arrived. */
interface Waiting {
  readonly record: ExchangeRecord;
  readonly id: string;
  /** Its outcome if no answer arrives; undefined if it waits for the session's stream, whose end then decides. */
  readonly otherwise: ExchangeOutcome | undefined;
}

/** An answer whose exchange is not over. */
interface EarlyAnswer {
  readonly conversation: string;
  readonly id: string;
  readonly text: string;
}

/** The maximum number of exchanges that wait for an answer, and of answers that wait; the oldest ones are given up. */
const MAX_WAITING = 200;

/** The maximum number of characters of an answer that waits for the end of its exchange. */
const LONGEST_EARLY = 2 ** 20;

/**
 * Finds the exchanges of MCP answers that arrive over another exchange. A server of 2024-11-05 accepts each
 * message with 202 and answers over the one stream of the session. Later ones may end a stream before the
 * answer, which then arrives when the caller resumes it (MCP, transports, "Resumability and Redelivery"). Ids
 * are looked up within a conversation.
 */
export class LateAnswers {
  readonly #streams = new Set<ExchangeRecord>();
  readonly #waiting = new Set<Waiting>();
  /** Answers that arrived before their message was accepted. */
  #early: EarlyAnswer[] = [];
  readonly #protocols: Protocols;

  constructor(protocols: Protocols) {
    this.#protocols = protocols;
  }

  /** The reply of this exchange is a stream of messages that the server sends on its own. */
  listens(record: ExchangeRecord): void {
    this.#streams.add(record);
  }

  /** True if the answer to an exchange whose reply is over may still arrive elsewhere; the exchange then waits. */
  waits(record: ExchangeRecord, request: RecognisedRequest, reply: EndedReply): boolean {
    const { protocol, kind, id } = request;
    const mayCome = this.#protocols.find(protocol)?.replies.answersElsewhere;
    if (!mayCome || kind !== 'request' || id === undefined) return false;
    const isTaken = reply.status === 202 && this.#hasStream(record.conversation);
    if (!isTaken && !reply.canResume) return false;
    const early = this.#early.find(each => each.id === id && each.conversation === record.conversation);
    if (early) {
      this.#early = this.#early.filter(each => each !== early);
      record.answerElsewhere(early.text);
      return true;
    }
    this.#waiting.add({ record, id, otherwise: isTaken ? undefined : reply.outcome });
    const [first] = this.#waiting;
    if (first && this.#waiting.size > MAX_WAITING) this.#settle(first, UNANSWERED);
    return true;
  }

  /** Passes an answer that arrived over a stream to the exchange that waits for it. */
  take(stream: ExchangeRecord, { message, text }: StreamMessage): void {
    const id = printId(findEntry(message, 'id'));
    const found = this.#find(stream.conversation, id);
    if (!found) {
      // A server may answer before it accepts the message with 202.
      if (id !== undefined && text.length <= LONGEST_EARLY)
        this.#early = [
          ...this.#early.slice(1 - MAX_WAITING),
          { conversation: stream.conversation, id, text },
        ];
      return;
    }
    this.#waiting.delete(found);
    found.record.answerElsewhere(text);
  }

  /** Ends a waiting exchange that its caller has cancelled; false if it is not waiting. */
  cancel(conversation: string, { id, outcome }: Cancelled): boolean {
    const found = this.#find(conversation, id);
    if (!found) return false;
    this.#waiting.delete(found);
    found.record.settle(outcome);
    return true;
  }

  /** An exchange is over. If it was the last stream of its conversation, exchanges that wait for it end. */
  close(record: ExchangeRecord): void {
    if (!this.#streams.delete(record) || this.#hasStream(record.conversation)) return;
    this.#early = this.#early.filter(({ conversation }) => conversation !== record.conversation);
    for (const each of this.#of(record.conversation)) if (!each.otherwise) this.#settle(each, STREAM_ENDED);
  }

  /** Ends the waiting exchanges of a conversation that is over. */
  endConversation(conversation: string): void {
    for (const each of this.#of(conversation)) this.#settle(each, UNANSWERED);
  }

  /** Ends all waiting exchanges. */
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
