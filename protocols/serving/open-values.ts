import type { Message } from '../../core/message/message.ts';
import { textIn, textValue } from '../../core/values/value.ts';
import { canonical, contentOf } from '../content/canonical.ts';
import { textPart, type Part } from '../content/part.ts';
import { isOfValue } from '../event-stream/joined.ts';

/**
 * The chunks of a named stream that wait for its end: pieces of values, which only the end completes, and the texts
 * after them, which would come before these values otherwise.
 */
export class OpenValues {
  #hasValue = false;
  /** The length of the texts that were passed on. */
  #passed = 0;

  /** True for a chunk that waits; any other one is passed on. */
  holds(chunk: Message): boolean {
    const { stream, data } = chunk.fields;
    if (!stream) return false;
    this.#hasValue ||= isOfValue(chunk);
    if (!this.#hasValue) this.#passed += textIn(data)?.length ?? 0;
    return this.#hasValue;
  }

  /** The parts of the whole reply that waited. */
  partsOf(whole: Message): readonly Part[] {
    if (!this.#hasValue || whole.kind !== 'result') return [];
    const { parts } = contentOf(canonical(whole));
    const [first, ...others] = parts;
    const text = first?.type === 'text' ? textIn(first.value) : undefined;
    if (this.#passed === 0 || text === undefined) return parts;
    return text.length > this.#passed ? [textPart(textValue(text.slice(this.#passed))), ...others] : others;
  }
}
