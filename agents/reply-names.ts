import { readWrittenJson } from '../language/values/json-reader.ts';
import { EventText } from '../protocols/event-stream/event-text.ts';
import type { KeptHeader, TraceName } from '../core/events/events.ts';
import { isEventStream } from '../core/events/headers.ts';
import type { Value } from '../core/values/value.ts';
import { LONGEST_READ } from '../protocols/recognise/request.ts';

/**
 * Reads a reply for the names of its trace, such as its task, while it arrives. The first message that has names has those of all
 * of them: nothing is read after it, nor after the first million characters of a reply without names.
 */
export class ReplyNames {
  readonly #findNames: (message: Value) => readonly TraceName[];
  readonly #text = new TextDecoder();
  readonly #events: EventText | undefined;
  /** What came of a body that is no stream. */
  readonly #kept: string[] = [];
  #left = LONGEST_READ;

  constructor(headers: readonly KeptHeader[], findNames: (message: Value) => readonly TraceName[]) {
    this.#findNames = findNames;
    if (isEventStream(headers)) this.#events = new EventText();
  }

  /** The names that are known with these bytes. */
  push(bytes: Uint8Array): readonly TraceName[] {
    if (this.#left === 0) return [];
    const read = bytes.subarray(0, this.#left);
    this.#left -= read.length;
    const text = this.#text.decode(read, { stream: true });
    if (this.#events) return this.#find(this.#events.push(text).map(({ data }) => data));
    this.#kept.push(text);
    return [];
  }

  /** The reply is over: the names that its end tells. */
  end(): readonly TraceName[] {
    if (this.#left === 0) return [];
    return this.#find(this.#events ? this.#events.end().map(({ data }) => data) : [this.#kept.join('')]);
  }

  #find(messages: readonly string[]): readonly TraceName[] {
    for (const text of messages) {
      const message = MAY_NAME.test(text) ? readWrittenJson(text) : undefined;
      const names = message ? this.#findNames(message) : [];
      if (names.length === 0) continue;
      this.#left = 0;
      return names;
    }
    return [];
  }
}

/** A message without these members is not read for names. */
const MAY_NAME = /"(?:taskId|status)"/;
