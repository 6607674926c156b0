import type { StopSignal } from '../../../core/message/message.ts';
import { findEntry, textIn, textValue, type DictValue, type Value } from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { ServerHost } from '../../serving/serving.ts';
import { noteUnused, OpenRequest, type Caller, type Channel } from './caller.ts';
import {
  CODES,
  fail,
  keyOf,
  writeAnswer,
  writeNotification,
  writeQuestion,
  type Answer,
  type CallerMessage,
} from './frames.ts';
import type { McpMethods } from './methods.ts';
import { CallerQuestions } from './questions.ts';
import { negotiate } from './versions.ts';

/** A session with a caller of a version with a handshake. */
export class LegacySession {
  readonly id: string;
  readonly version: string;
  /** What the caller declared that it can be asked. */
  readonly capabilities: Value | undefined;
  /** Ends the stream of messages that belong to no request; undefined while there is none. */
  closeStream: (() => void) | undefined;
  readonly #open = new Map<string, OpenRequest>();

  constructor(id: string, params: DictValue) {
    this.id = id;
    this.version = negotiate(textIn(findEntry(params, 'protocolVersion')));
    this.capabilities = findEntry(params, 'capabilities');
  }

  begin(id: Value, request: OpenRequest): void {
    this.#open.set(keyOf(id), request);
  }

  settle(id: Value, request: OpenRequest): void {
    if (this.#open.get(keyOf(id)) === request) this.#open.delete(keyOf(id));
  }

  /** Ends a request, as its caller wants. */
  cancel(id: Value | undefined): void {
    const request = id && this.#open.get(keyOf(id));
    if (!request) return;
    request.isUnwanted = true;
    request.cancel();
  }

  /** Ends all requests. */
  end(): void {
    for (const request of this.#open.values()) request.cancel();
    this.closeStream?.();
  }
}

/** Answers messages of the versions with a handshake, in which questions to the caller are requests of their own. */
export class LegacyMessages {
  readonly #methods: McpMethods;
  readonly #host: ServerHost;
  /** The questions that wait for their answers, by id. */
  readonly #asked = new Map<string, (answer: Answer | undefined) => void>();

  constructor(methods: McpMethods, host: ServerHost) {
    this.#methods = methods;
    this.#host = host;
  }

  /** Takes a message, and returns the answer if it is a request that its caller has not cancelled. Never rejects. */
  async take(
    message: CallerMessage,
    session: LegacySession | undefined,
    channel: Channel,
  ): Promise<DictValue | undefined> {
    switch (message.kind) {
      case 'answer':
        this.#takeAnswer(message, channel);
        return undefined;
      case 'notification':
        if (message.method === 'notifications/cancelled')
          session?.cancel(findEntry(message.params, 'requestId'));
        else noteUnused(message.method, channel);
        return undefined;
      case 'request':
        return this.#answer(message, session, channel);
    }
  }

  #takeAnswer({ id, answer }: Extract<CallerMessage, { kind: 'answer' }>, channel: Channel): void {
    const take = this.#asked.get(textIn(id) ?? '');
    if (take) take(answer);
    else channel.note('The message answers no open question of the agent, so it was not used');
  }

  async #answer(
    { id, method, params }: Extract<CallerMessage, { kind: 'request' }>,
    session: LegacySession | undefined,
    channel: Channel,
  ): Promise<DictValue | undefined> {
    const request = new OpenRequest();
    session?.begin(id, request);
    const caller: Caller = {
      request: channel.request,
      send: channel.send,
      drained: () => channel.drained(),
      note: text => channel.note(text),
      era: 'legacy',
      session: session?.id,
      questions: new CallerQuestions({
        capabilities: session?.capabilities,
        ask: (asked, given, signal) => this.#ask(asked, given, signal, channel),
        note: text => channel.note(text),
        newId: this.#host.newId,
      }),
      begin: call => request.begin(call),
    };
    const answer = await this.#run(method, params, caller);
    session?.settle(id, request);
    // A caller that takes JSON alone needs an answer in any case.
    return request.isUnwanted && channel.send ? undefined : writeAnswer(id, answer);
  }

  async #run(method: string, params: DictValue, caller: Caller): Promise<Answer> {
    try {
      return await this.#methods.answer(method, params, caller);
    } catch (error) {
      return fail(CODES.internal, `The server failed: ${String(error)}`);
    }
  }

  #ask(
    method: string,
    params: DictValue | undefined,
    signal: StopSignal,
    { send, request }: Channel,
  ): Promise<Answer | undefined> {
    if (!send || signal.aborted || request.gone.aborted) return Promise.resolve(undefined);
    const id = this.#host.newId();
    return new Promise(resolve => {
      const settle = (answer: Answer | undefined): void => {
        if (this.#asked.delete(id)) resolve(answer);
      };
      this.#asked.set(id, settle);
      signal.addEventListener('abort', () => {
        if (this.#asked.has(id) && !request.gone.aborted)
          send(writeNotification('notifications/cancelled', dictOf({ requestId: textValue(id) })));
        settle(undefined);
      });
      request.gone.addEventListener('abort', () => settle(undefined));
      send(writeQuestion(id, method, params));
    });
  }
}
