import { readFields } from '../../core/text/fields.ts';

/** Counts the events of a JSON-RPC stream that hold no message: an agent may send a million of them. */
export class ForeignEvents {
  #count = 0;

  /** Takes the data of an event, read as JSON. True for a message or a list. */
  take(value: unknown): boolean {
    if (Array.isArray(value) || readFields(value) !== undefined) return true;
    this.add();
    return false;
  }

  /** Counts an event that holds no message. */
  add(): void {
    this.#count++;
  }

  /** A note about these events; undefined if there are none. */
  get note(): string | undefined {
    if (this.#count === 0) return undefined;
    const times = this.#count === 1 ? '' : ` (${this.#count} times)`;
    return `An event of the stream is not a JSON-RPC message${times}`;
  }
}
