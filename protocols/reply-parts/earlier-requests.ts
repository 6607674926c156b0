import type { HeadEvent } from '../../core/events/events.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import { readRpc } from '../rpc/frame.ts';
import type { Value } from '../../core/values/value.ts';
import { showValue } from '../../language/values/json-printer.ts';
import { JsonBody } from './json-body.ts';

/** The JSON-RPC requests on the wire of a call: a connection may do a handshake before it sends the request. */
export class EarlierRequests {
  readonly #detectsUpdate: (value: Value) => boolean;
  readonly #methods = new Map<string, string>();
  /** In the order in which they were sent. */
  readonly #ids: string[] = [];
  #body: JsonBody;
  #answers = 0;
  #isUpdate = false;
  /** The head of the last request; undefined for a transport without heads. */
  head: HeadEvent | undefined;
  /** True where nothing was requested, so that the stream has the server's own messages, and answers to other calls. */
  listens = false;

  /** `isUpdate` distinguishes a pushed update of the protocol from a request. */
  constructor(isUpdate: (value: Value) => boolean) {
    this.#detectsUpdate = isUpdate;
    this.#body = this.#open();
  }

  push(text: string, at: number): void {
    this.#body.push(text, at);
  }

  /** Ends a message. */
  cut(): void {
    runAtOnce(this.#body.endSteps());
    this.#body = this.#open();
  }

  /** The method of the request with this id; undefined for the last request, and for unknown ids. */
  earlier(id: Value | undefined): string | undefined {
    const name = showValue(id) ?? '';
    return name === this.#ids.at(-1) ? undefined : this.#methods.get(name);
  }

  /** The method of the last request; undefined if there was none. */
  get last(): string | undefined {
    return this.#methods.get(this.#ids.at(-1) ?? '');
  }

  /** True for an update that an agent pushes to its client. */
  get isUpdate(): boolean {
    return this.#isUpdate;
  }

  /** Counts an answer; returns its position among all answers, from 0. */
  countAnswer(): number {
    return this.#answers++;
  }

  /** The same by the position of the answer, for agents whose answers have no id. */
  earlierAt(index: number): string | undefined {
    return index < this.#ids.length - 1 ? this.#methods.get(this.#ids[index] ?? '') : undefined;
  }

  #open(): JsonBody {
    return new JsonBody(value => {
      const frame = readRpc(value);
      this.#isUpdate ||= !frame && this.#detectsUpdate(value);
      if (frame?.kind !== 'request' || frame.id?.kind === 'null') return;
      const name = showValue(frame.id) ?? '';
      this.#ids.push(name);
      this.#methods.set(name, frame.method);
    });
  }
}
