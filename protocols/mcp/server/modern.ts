import type { StopSignal } from '../../../core/message/message.ts';
import {
  dictValue,
  findEntry,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../../core/values/value.ts';
import { dictOf } from '../../message/dicts.ts';
import type { CallerRequest, ServerHost } from '../../serving/serving.ts';
import { OpenRequest, Stop, type Caller, type Channel } from './caller.ts';
import { CODES, fail, result, type Answer } from './frames.ts';
import type { McpMethods } from './methods.ts';
import { CallerQuestions } from './questions.ts';

/** The maximum number of calls that wait for answers of their callers, and for how many milliseconds each. */
const MAX_WAITING = 32;
const LONGEST_WAIT = 10 * 60_000;

/** A question to the caller that is not answered. */
interface OpenQuestion {
  readonly request: DictValue;
  settle(answer: Answer | undefined): void;
}

/**
 * A call in the version without sessions. When the agent asks something, its reply so far is `input_required`, and the
 * call goes on with the request that brings the answers.
 */
class ModernCall implements Caller {
  readonly era = 'modern';
  readonly session: string;
  readonly questions: CallerQuestions;
  readonly request: CallerRequest;
  /** What its first request was for: later ones must be for the same. */
  readonly subject: string;
  readonly #gone = new Stop();
  readonly #open = new OpenRequest();
  readonly #asked = new Map<string, OpenQuestion>();
  #count = 0;
  #channel: Channel | undefined;
  #capabilities: Value | undefined;
  #answer: Answer | undefined;
  #wake: () => void = () => undefined;
  /** When it began to wait for its caller. */
  waitsSince = 0;

  constructor(subject: string, { request }: Channel, { newId }: ServerHost) {
    const capabilities = (): Value | undefined => this.#capabilities;
    this.subject = subject;
    this.session = newId();
    this.request = { ...request, header: name => request.header(name), gone: this.#gone };
    this.questions = new CallerQuestions({
      get capabilities() {
        return capabilities();
      },
      ask: (method, params, signal) => this.#ask(method, params, signal),
      note: text => this.note(text),
      newId,
    });
  }

  get send(): ((message: DictValue) => void) | undefined {
    return this.#channel?.send;
  }

  drained(): Promise<void> | undefined {
    return this.#channel?.drained();
  }

  note(text: string): void {
    this.#channel?.note(text);
  }

  begin(...[call]: Parameters<Caller['begin']>): void {
    this.#open.begin(call);
  }

  start(answering: Promise<Answer>): void {
    void answering.then(answer => {
      this.#answer = answer;
      this.#wake();
    });
  }

  /** The call goes on with a request, which may have answers. */
  attach(channel: Channel, capabilities: Value, answers: Value | undefined): void {
    this.#channel = channel;
    this.#capabilities = capabilities;
    channel.request.gone.addEventListener('abort', () => {
      if (this.#channel === channel) this.end();
    });
    for (const [key, question] of this.#asked) {
      const answer = findEntry(answers, key);
      if (answer?.kind === 'dict') question.settle(result(answer));
    }
  }

  /** Resolves with the answer, or with the questions that are to be answered before. */
  async next(): Promise<Answer> {
    for (;;) {
      if (this.#answer) return this.#answer;
      if (this.#asked.size > 0) {
        this.#channel = undefined;
        return result(
          dictOf({
            resultType: textValue('input_required'),
            inputRequests: dictValue([...this.#asked].map(([key, { request }]) => ({ key, value: request }))),
          }),
        );
      }
      await new Promise<void>(resolve => (this.#wake = resolve));
    }
  }

  get isOver(): boolean {
    return this.#answer !== undefined;
  }

  /** Ends the call, whose caller has gone. */
  end(): void {
    this.#gone.abort();
    this.#open.cancel();
    for (const question of [...this.#asked.values()]) question.settle(undefined);
  }

  #ask(method: string, params: DictValue | undefined, signal: StopSignal): Promise<Answer | undefined> {
    if (signal.aborted || this.#gone.aborted) return Promise.resolve(undefined);
    const key = `question-${++this.#count}`;
    return new Promise(resolve => {
      const settle = (answer: Answer | undefined): void => {
        if (this.#asked.delete(key)) resolve(answer);
      };
      this.#asked.set(key, { request: dictOf({ method: textValue(method), params }), settle });
      signal.addEventListener('abort', () => settle(undefined));
      this.#wake();
    });
  }
}

/** Answers requests of MCP 2026-07-28, of which each is complete in itself. */
export class ModernMessages {
  readonly #methods: McpMethods;
  readonly #host: ServerHost;
  /** The calls that wait for answers of their callers, by the state that these send back. */
  readonly #waiting = new Map<string, ModernCall>();

  constructor(methods: McpMethods, host: ServerHost) {
    this.#methods = methods;
    this.#host = host;
  }

  /** Answers a request. Never rejects. `end` ends it. */
  async answer(
    method: string,
    params: DictValue,
    capabilities: Value,
    channel: Channel,
    onBegin?: (end: () => void) => void,
  ): Promise<Answer> {
    this.#sweep();
    const state = textIn(findEntry(params, 'requestState'));
    const subject = [method, textIn(findEntry(params, 'name')) ?? textIn(findEntry(params, 'uri'))].join(' ');
    const call =
      state === undefined ? new ModernCall(subject, channel, this.#host) : this.#waiting.get(state);
    if (!call || call.subject !== subject)
      return fail(
        CODES.invalidParameters,
        "The call of this 'requestState' has ended, or is another one; send the request without it to begin anew",
      );
    if (state !== undefined) this.#waiting.delete(state);
    onBegin?.(() => call.end());
    call.attach(channel, capabilities, findEntry(params, 'inputResponses'));
    if (state === undefined) call.start(this.#run(method, params, call));
    const answer = await call.next();
    if (call.isOver) return answer;
    const next = this.#host.newId();
    call.waitsSince = this.#host.now();
    this.#waiting.set(next, call);
    return result(dictValue([...answer.body.entries, { key: 'requestState', value: textValue(next) }]));
  }

  async #run(method: string, params: DictValue, call: ModernCall): Promise<Answer> {
    try {
      return await this.#methods.answer(method, params, call);
    } catch (error) {
      return fail(CODES.internal, `The server failed: ${String(error)}`);
    }
  }

  /** Ends the calls whose callers did not come back, and the oldest ones if too many wait. */
  #sweep(): void {
    const now = this.#host.now();
    for (const [state, call] of this.#waiting) {
      if (now - call.waitsSince <= LONGEST_WAIT && this.#waiting.size <= MAX_WAITING) continue;
      this.#waiting.delete(state);
      call.end();
    }
  }
}
