import type { Protocols } from '../../../protocols/protocol.ts';
import { splitObjectList, parseJson } from '../../../core/text/json.ts';
import { isSse, listSseData } from '../../../core/text/event-stream.ts';
import { readFields } from '../../../core/text/fields.ts';
import type { StoredHeader } from '../../../core/events/events.ts';
import { recogniseReply } from '../../../protocols/recognise/reply.ts';
import type { RecognisedRequest } from '../../../protocols/recognise/request.ts';
import type { CallTracker } from '../../call-tracker.ts';
import type { ExchangeOutcome } from '../exchange.ts';

/** A message of a batch, and its call. */
export interface BatchCall {
  readonly sign: RecognisedRequest;
  readonly tracker: CallTracker;
}

const UNANSWERED: ExchangeOutcome = {
  status: 'incomplete',
  message: 'The reply to the batch holds no answer to this message',
};

/**
 * The calls of a JSON-RPC batch (JSON-RPC 2.0, section 6), one per message. The call of the first message is that of
 * the exchange, which stores all bytes as they passed. Each of the others receives only its own message and answer.
 */
export class BatchCalls {
  readonly #protocols: Protocols;
  readonly #first: RecognisedRequest;
  readonly #others: readonly BatchCall[];

  constructor(protocols: Protocols, first: RecognisedRequest, others: readonly BatchCall[]) {
    this.#protocols = protocols;
    this.#first = first;
    this.#others = others;
  }

  /** The ids of the other calls. The guard checks each of them. */
  get calls(): readonly string[] {
    return this.#others.map(({ tracker }) => tracker.call);
  }

  /**
   * Ends the other calls with their answers in a complete reply, and returns the outcome of the first one. A
   * reply that is neither a list nor a stream answers all of them.
   */
  answer(
    text: string,
    head: { readonly line: string; readonly headers: readonly StoredHeader[] },
    whole: ExchangeOutcome,
  ): ExchangeOutcome {
    const answers = readAnswers(text);
    if (!answers) {
      this.end(whole);
      return whole;
    }
    for (const { sign: recognised, tracker } of this.#others) {
      tracker.head('in', head.line, head.headers);
      const own = answers.get(recognised.id ?? '');
      if (own !== undefined) tracker.bytes('in', Buffer.from(own));
      tracker.end(this.#judge(recognised, own));
    }
    return this.#judge(this.#first, answers.get(this.#first.id ?? ''));
  }

  #judge({ protocol, kind }: RecognisedRequest, text: string | undefined): ExchangeOutcome {
    if (kind === 'notification') return { status: 'ok' };
    if (text === undefined) return UNANSWERED;
    return recogniseReply(this.#protocols.find(protocol), text);
  }

  /** Ends the other calls with the outcome of the exchange. */
  end(outcome: ExchangeOutcome): void {
    for (const { tracker } of this.#others) tracker.end(outcome);
  }
}

/** The answers in a reply by their ids, as they are written. */
function readAnswers(text: string): ReadonlyMap<string, string> | undefined {
  const texts = isSse(text) ? listSseData(text) : splitObjectList(text);
  if (!texts) return undefined;
  const answers = new Map<string, string>();
  for (const each of texts) {
    const fields = readFields(parseJson(each));
    const id = fields?.get('id');
    const isAnswer = fields?.has('result') === true || fields?.has('error') === true;
    if (isAnswer && (typeof id === 'string' || typeof id === 'number')) answers.set(String(id), each);
  }
  return answers;
}
