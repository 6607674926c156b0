import { readWrittenJson } from '../language/values/json-reader.ts';
import { EventStreamParser } from '../core/text/event-stream.ts';
import type { StoredHeader, TraceName } from '../core/events/events.ts';
import { isEventStream } from '../core/events/headers.ts';
import type { Value } from '../core/values/value.ts';
import { LONGEST_READ } from '../protocols/recognise/request.ts';

/**
 * Finds the names of a reply's trace, such as its task, while the reply arrives. The first message with names
 * has all of them, so reading ends there; without names it ends after the first `LONGEST_READ` bytes.
 */
export class ReplyNames {
  readonly #findNames: (message: Value) => readonly TraceName[];
  readonly #text = new TextDecoder();
  readonly #events: EventStreamParser | undefined;
  /** The text of a body that is not an event stream. */
  readonly #retained: string[] = [];
  #left = LONGEST_READ;

  constructor(headers: readonly StoredHeader[], findNames: (message: Value) => readonly TraceName[]) {
    this.#findNames = findNames;
    if (isEventStream(headers)) this.#events = new EventStreamParser();
  }

  /** The names found in these bytes. */
  push(bytes: Uint8Array): readonly TraceName[] {
    if (this.#left === 0) return [];
    const read = bytes.subarray(0, this.#left);
    this.#left -= read.length;
    const text = this.#text.decode(read, { stream: true });
    if (this.#events) return this.#find(this.#events.push(text).map(({ data }) => data));
    this.#retained.push(text);
    return [];
  }

  /** The names found at the end of the reply. */
  end(): readonly TraceName[] {
    if (this.#left === 0) return [];
    return this.#find(this.#events ? this.#events.end().map(({ data }) => data) : [this.#retained.join('')]);
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

/** Messages without any of these members are not searched for names. */
const MAY_NAME = /"(?:taskId|status)"/;
