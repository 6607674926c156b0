import { readWrittenJson } from '../language/values/json-reader.ts';
import { EventText } from '../protocols/event-stream/event-text.ts';
import type { KeptHeader, TraceName } from '../core/events/events.ts';
import { isEventStream } from '../core/events/headers.ts';
import { findTaskNames } from '../protocols/a2a/tasks.ts';
import { LONGEST_READ } from '../protocols/recognise/request.ts';

/**
 * Reads a reply of A2A for the names of its task while it comes. The first message that names one names the one of all of
 * them: nothing is read after it, nor after the first million characters of a reply that names none.
 */
export class HeardTasks {
  readonly #text = new TextDecoder();
  readonly #events: EventText | undefined;
  /** What came of a body that is no stream. */
  readonly #kept: string[] = [];
  #left = LONGEST_READ;

  constructor(headers: readonly KeptHeader[]) {
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
      const names = message ? findTaskNames(message) : [];
      if (names.length === 0) continue;
      this.#left = 0;
      return names;
    }
    return [];
  }
}

/** A message that is about no task is not read for one. */
const MAY_NAME = /"(?:taskId|status)"/;
