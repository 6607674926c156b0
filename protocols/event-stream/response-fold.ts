import type { DictValue, Value } from '../../core/values/value.ts';

/** A message of a response, or an item of its output, as it is now. */
export interface ResponsePart {
  /** Unique within the response. */
  readonly key: string;
  /** Its value in the output, with its contents. */
  readonly value: DictValue;
  /** True once its end arrived. */
  readonly isClosed: boolean;
  readonly contents: readonly ResponseContent[];
}

/** A content of a message, or a part of an item. */
export interface ResponseContent {
  readonly key: string;
  readonly value: Value;
  readonly isClosed: boolean;
}

/** Observes which event made which part of a response, and its irregularities, to show when each part arrived. */
export interface PartListener {
  /** Called before an event is folded; the calls until `taken` are about this event. */
  take(event: Value): void;
  /** The event belongs to the part with this key. */
  belongs(key: string): void;
  /** A note about the part with this key; without a key, about the parts of the event. */
  note(text: string, key?: string): void;
  taken(): void;
}

/**
 * Which parts of a response a fold stores: all, or only its outcome and its requests for approval, for a caller that
 * does not use the content.
 */
export type RetainedPart = 'all' | 'outcome';

/** Counts irregularities of a response. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #listener: Pick<PartListener, 'note'> | undefined;

  constructor(listener?: Pick<PartListener, 'note'>) {
    this.#listener = listener;
  }

  /** `key` is the part that the note is about, if the event does not belong to it. */
  add(what: string, key?: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    this.#listener?.note(what, key);
  }

  /** One line for each kind, with its count: `what (3 times)`. */
  get lines(): readonly string[] {
    return [...this.#counts].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
  }
}
