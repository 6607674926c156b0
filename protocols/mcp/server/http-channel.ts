import type { DictValue, Value } from '../../../core/values/value.ts';
import { PartPrinter } from '../../../language/values/json-printer.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import { EVENTS_TYPE, JSON_TYPE, writeEvent } from '../../serving/http-replies.ts';
import type { CallerReply, CallerRequest } from '../../serving/serving.ts';
import type { Channel } from './caller.ts';

/** The reply to one request over HTTP: JSON, or events if something is sent before the answer. */
export class HttpChannel implements Channel {
  readonly request: CallerRequest;
  readonly send: ((message: DictValue) => void) | undefined;
  readonly #reply: CallerReply;
  readonly #codec: ServerCodec;
  readonly #printer = new PartPrinter();
  readonly #takesJson: boolean;
  #isStream = false;
  #isOver = false;

  constructor(request: CallerRequest, reply: CallerReply, codec: ServerCodec) {
    this.request = request;
    this.#reply = reply;
    this.#codec = codec;
    const accept = request.header('accept')?.toLowerCase() ?? '*/*';
    // A caller that takes anything may not read events.
    const takesEvents = accept.includes('text/event-stream');
    this.#takesJson = !takesEvents || /\*\/\*|application\/(?:json|\*)/.test(accept);
    this.send = takesEvents ? message => this.#write(message) : undefined;
  }

  note(text: string): void {
    this.#reply.note(text);
  }

  drained(): Promise<void> | undefined {
    return this.#reply.drained();
  }

  /** Begins a stream without a message. */
  open(): void {
    if (this.#isStream) return;
    this.#isStream = true;
    this.#reply.write(EVENTS_TYPE, ': \n\n');
  }

  /** Ends the reply with an answer, or with several for a batch. */
  end(answers: readonly Value[] | Value, status = 200, headers: Readonly<Record<string, string>> = {}): void {
    if (this.#isOver) return;
    const all: readonly Value[] = 'kind' in answers ? [answers] : answers;
    if (!this.#isStream && (this.#takesJson || status !== 200)) {
      this.#isOver = true;
      const value: Value = 'kind' in answers ? answers : { kind: 'list', items: answers };
      this.#reply.send(status, JSON_TYPE, this.#codec.print(value), headers);
      return;
    }
    for (const answer of all) this.#write(answer, headers);
    this.close();
  }

  /** Ends the reply without an answer. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#isStream) this.#reply.end();
    else this.#reply.send(202, JSON_TYPE, '');
  }

  #write(message: Value, headers?: Readonly<Record<string, string>>): void {
    if (this.#isOver) return;
    this.#isStream = true;
    writeEvent(this.#reply, this.#printer.print(message), 'message', headers);
  }
}
