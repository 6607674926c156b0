import { readFields } from '../../core/text/fields.ts';

/** Counts the events of a stream of JSON-RPC that hold no message: an agent may send a million of them. */
export class ForeignEvents {
  #count = 0;

  /** Takes the data of an event, read as JSON. True for a message, or several in a list. */
  take(value: unknown): boolean {
    if (Array.isArray(value) || readFields(value) !== undefined) return true;
    this.add();
    return false;
  }

  /** Takes one that holds none. */
  add(): void {
    this.#count++;
  }

  /** What to say of them; undefined where there are none. */
  get note(): string | undefined {
    if (this.#count === 0) return undefined;
    const times = this.#count === 1 ? '' : ` (${this.#count} times)`;
    return `An event of the stream is no JSON-RPC message${times}`;
  }
}
