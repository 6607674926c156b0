import { findEntry, NULL, type DictValue, type Value } from '../../../core/values/value.ts';
import { answerBatch } from '../../serving/batch.ts';
import type { CallerRequest, LineCaller, LineServer } from '../../serving/serving.ts';
import { noteUnused, type Channel } from './caller.ts';
import { CODES, fail, keyOf, readCallerMessage, writeAnswer, type CallerMessage } from './frames.ts';
import { LegacySession } from './legacy.ts';
import type { McpParts } from './parts.ts';
import { readClaim } from './versions.ts';

const NO_JSON = 'The line is not JSON; send one message of JSON-RPC per line';

/** Answers the lines of one caller, each of which is a message or an array of messages. */
export class McpLines implements LineServer {
  readonly #parts: McpParts;
  readonly #send: (message: Value) => void;
  #session: LegacySession | undefined;
  /** How to end the open requests of the version without sessions, by their ids. */
  readonly #open = new Map<string, () => void>();

  constructor(parts: McpParts, send: (line: string) => void) {
    this.#parts = parts;
    this.#send = message => send(parts.codec.print(message));
  }

  async take(line: string, request: CallerRequest, caller: LineCaller): Promise<void> {
    if (line.trim() === '') return;
    const value = this.#parts.codec.parse(line);
    if (!value) return this.#refuse(CODES.parse, this.#parts.codec.describeFault(line, NO_JSON));
    const items = value.kind === 'list' ? value.items : [value];
    const messages = items.map(readCallerMessage);
    if (items.length === 0) return this.#refuse(CODES.invalidRequest, 'The batch has no message');
    const channel: Channel = {
      request,
      send: message => this.#send(message),
      drained: () => caller.drained(),
      note: text => caller.note(text),
    };
    const answers = await answerBatch(
      messages,
      message => this.#answer(message, channel),
      message => message?.kind === 'request',
    );
    const sent = answers.filter(answer => answer !== undefined);
    const [only] = sent;
    if (request.gone.aborted || !only) return;
    this.#send(value.kind === 'list' ? { kind: 'list', items: sent } : only);
  }

  #refuse(code: number, text: string): void {
    this.#send(writeAnswer(NULL, fail(code, text)));
  }

  /** The answer to a message; undefined for one that has none. */
  async #answer(message: CallerMessage | undefined, channel: Channel): Promise<DictValue | undefined> {
    if (!message)
      return writeAnswer(NULL, fail(CODES.invalidRequest, 'The line is not a message of JSON-RPC 2.0'));
    if (message.kind === 'answer') return this.#parts.legacy.take(message, this.#session, channel);
    const claim = readClaim(message, channel.request);
    if (claim.kind === 'fault')
      return message.kind === 'request' ? writeAnswer(message.id, claim.answer) : undefined;
    if (message.kind === 'notification') {
      const cancelled = findEntry(message.params, 'requestId');
      if (message.method === 'notifications/cancelled' && cancelled) this.#open.get(keyOf(cancelled))?.();
      else if (claim.kind === 'modern') noteUnused(message.method, channel);
    }
    if (claim.kind === 'modern') return this.#takeModern(message, claim.capabilities, channel);
    if (message.kind === 'request' && message.method === 'initialize') this.#begin(message.params);
    return this.#parts.legacy.take(message, this.#session, channel);
  }

  #begin(params: DictValue): void {
    const { host, changes } = this.#parts;
    if (!this.#session) changes.add(this.#send);
    this.#session = new LegacySession(host.newId(), params);
  }

  async #takeModern(
    message: Exclude<CallerMessage, { kind: 'answer' }>,
    capabilities: DictValue,
    channel: Channel,
  ): Promise<DictValue | undefined> {
    if (message.kind === 'notification') return undefined;
    const { id, method, params } = message;
    if (method === 'subscriptions/listen') return this.#listen(id, params, channel);
    const key = keyOf(id);
    let isCancelled = false;
    const answer = await this.#parts.modern.answer(method, params, capabilities, channel, end =>
      this.#open.set(key, () => {
        isCancelled = true;
        end();
      }),
    );
    this.#open.delete(key);
    return isCancelled ? undefined : writeAnswer(id, answer);
  }

  async #listen(id: Value, params: DictValue, { request }: Channel): Promise<DictValue | undefined> {
    const { agent, changes } = this.#parts;
    const listening = changes.subscribe(id, params, await agent.offer(request), this.#send);
    if (!listening)
      return writeAnswer(id, fail(CODES.invalidParameters, "'notifications' is missing, an object"));
    this.#send(listening.acknowledgement);
    const key = keyOf(id);
    this.#open.set(key, () => {
      this.#open.delete(key);
      listening.end();
    });
    return undefined;
  }
}
