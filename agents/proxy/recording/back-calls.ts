import { readFields } from '../../../core/text/fields.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { CallTracker } from '../../call-tracker.ts';
import type { ExchangeOutcome } from '../exchange.ts';

/** A call from an agent to its caller that is not answered yet. */
export interface BackCall {
  readonly tracker: CallTracker;
  readonly title: string;
  readonly trace: string;
  /** The conversation that its id belongs to. */
  readonly conversation: string;
  readonly id: string;
  /** The call whose end also ends this one; undefined for a call on a stream that its caller may open again. */
  readonly within: CallTracker | undefined;
}

/**
 * The open calls from agents to their callers. An id is looked up within its conversation; if it repeats
 * there, the oldest call is found.
 */
export class BackCalls {
  readonly #calls = new Set<BackCall>();

  add(call: BackCall): void {
    this.#calls.add(call);
  }

  find(conversation: string, id: string): BackCall | undefined {
    return [...this.#calls].find(call => call.conversation === conversation && call.id === id);
  }

  /** Ends a call with the JSON-RPC message that answers it. */
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

  /** Ends the calls that were made within a call that has ended. */
  endWithin(tracker: CallTracker): void {
    const message = 'The enclosing call ended before an answer came';
    this.#endEach(({ within }) => within === tracker, { status: 'incomplete', message });
  }

  /** Ends the calls of a conversation that has ended. */
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
