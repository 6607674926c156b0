import { runAtOnce } from '../../core/text/slices.ts';
import { readRpc } from '../rpc/frame.ts';
import type { Value } from '../../core/values/value.ts';
import { showValue } from './content-words.ts';
import { JsonBody } from './json-body.ts';

/** What was asked in JSON-RPC on the wire of a call: a connection may greet an agent before it sends the request. */
export class EarlierRequests {
  readonly #detectsUpdate: (value: Value) => boolean;
  readonly #methods = new Map<string, string>();
  /** In their order. */
  readonly #ids: string[] = [];
  #body: JsonBody;
  #answers = 0;
  #isUpdate = false;
  /** True where nothing was asked: what comes back is what the server says on its own, answers to other calls among it. */
  listens = false;

  /** `isUpdate` tells a pushed update of the protocol from a request. */
  constructor(isUpdate: (value: Value) => boolean) {
    this.#detectsUpdate = isUpdate;
    this.#body = this.#open();
  }

  push(text: string, at: number): void {
    this.#body.push(text, at);
  }

  /** A message ends here. */
  cut(): void {
    runAtOnce(this.#body.endSteps());
    this.#body = this.#open();
  }

  /** The method that was asked with an id before the last request was; undefined for that one, and where none is known. */
  earlier(id: Value | undefined): string | undefined {
    const name = showValue(id) ?? '';
    return name === this.#ids.at(-1) ? undefined : this.#methods.get(name);
  }

  /** True where the request is an update that an agent pushes to its client. */
  get isUpdate(): boolean {
    return this.#isUpdate;
  }

  /** The place of an answer that came among all answers, from 0. */
  countAnswer(): number {
    return this.#answers++;
  }

  /** The same by the place of the answer, for agents that do not tell what they answer. */
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
