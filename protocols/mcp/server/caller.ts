import type { AgentQuestions, StopSignal } from '../../../core/message/message.ts';
import { quote } from '../../../core/text/quote.ts';
import type { DictValue } from '../../../core/values/value.ts';
import type { CallerRequest, ServedCall } from '../../serving/serving.ts';
import type { Era } from './offer.ts';

/** How messages reach the caller of a request: over the reply of an HTTP request, or as lines. */
export interface Channel {
  readonly request: CallerRequest;
  /** Sends a message before the answer; undefined where the reply cannot be a stream. */
  readonly send: ((message: DictValue) => void) | undefined;
  /** Resolves once the caller has taken what was sent; undefined if it has. */
  drained(): Promise<void> | undefined;
  note(text: string): void;
}

/** The caller of one request to the agent. */
export interface Caller extends Channel {
  readonly era: Era;
  /** Its name for the conversation; undefined where requests do not belong together. */
  readonly session: string | undefined;
  readonly questions: AgentQuestions;
  /** A call to the agent begins, which ends when the request is cancelled. */
  begin(call: ServedCall): void;
}

/** Notes a notification of a caller that has no effect. */
export function noteUnused(method: string, channel: Pick<Channel, 'note'>): void {
  if (method !== INITIALIZED)
    channel.note(`The notification ${quote(method, 80)} has no effect on the agent`);
}

const INITIALIZED = 'notifications/initialized';

/** The calls of one request, which a caller can cancel. */
export class OpenRequest {
  readonly #calls = new Set<ServedCall>();
  #isCancelled = false;
  /** True once its caller has said that it wants no answer. */
  isUnwanted = false;

  begin(call: ServedCall): void {
    this.#calls.add(call);
    if (this.#isCancelled) call.cancel();
  }

  cancel(): void {
    this.#isCancelled = true;
    for (const call of this.#calls) call.cancel();
  }
}

/** A signal that its owner sets. */
export class Stop implements StopSignal {
  readonly #listeners: (() => void)[] = [];
  #isAborted = false;

  get aborted(): boolean {
    return this.#isAborted;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    for (const listener of this.#listeners) listener();
  }
}
