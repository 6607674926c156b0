import { readFields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { CallTracker } from '../call-tracker.ts';
import type { ExchangeOutcome } from './exchange.ts';

/** A call by which an agent asks its caller, until it is answered. */
export interface BackCall {
  readonly tracker: CallTracker;
  readonly title: string;
  readonly trace: string;
  /** The conversation in which its id is one of its own. */
  readonly conversation: string;
  readonly id: string;
  /** The call that ends it where it ends; undefined for what is asked on a stream that its caller may open again. */
  readonly within: CallTracker | undefined;
}

/** What agents ask their callers. The same id may stand for several: each conversation counts its own, and then the oldest counts. */
export class BackCalls {
  readonly #calls = new Set<BackCall>();

  add(call: BackCall): void {
    this.#calls.add(call);
  }

  find(conversation: string, id: string): BackCall | undefined {
    return [...this.#calls].find(call => call.conversation === conversation && call.id === id);
  }

  /** `text` is the message of JSON-RPC that answers it. */
  answer(call: BackCall, text: string): void {
    call.tracker.bytes('in', Buffer.from(text));
    const error = readFields(readFields(parseJson(text))?.get('error'));
    const [code, message] = [error?.get('code'), error?.get('message')];
    if (!error) return this.#end(call, { status: 'ok' });
    this.#end(call, {
      status: 'error',
      ...(typeof code === 'number' ? { code: String(code) } : {}),
      message: typeof message === 'string' && message !== '' ? message : 'The caller answered with an error',
    });
  }

  /** A call is over, and with it what was asked within it. */
  endWithin(tracker: CallTracker): void {
    const message = 'The call within which it was asked ended before an answer came';
    this.#endEach(({ within }) => within === tracker, { status: 'incomplete', message });
  }

  /** A conversation is over. */
  endConversation(conversation: string): void {
    const message = 'The session ended before an answer came';
    this.#endEach(call => call.conversation === conversation, { status: 'incomplete', message });
  }

  stop(outcome: ExchangeOutcome): void {
    this.#endEach(() => true, outcome);
  }

  #endEach(isMeant: (call: BackCall) => boolean, outcome: ExchangeOutcome): void {
    for (const call of [...this.#calls].filter(isMeant)) this.#end(call, outcome);
  }

  #end(call: BackCall, outcome: ExchangeOutcome): void {
    this.#calls.delete(call);
    call.tracker.end(outcome);
  }
}
