import type { DictValue, Value } from '../../core/values/value.ts';
import type { ToldText } from './told-text.ts';

/** A response that comes in events, folded while it comes. Total: what is odd about it is told as notes. */
export interface ResponseFold {
  /** The texts of it that may be shown. */
  readonly texts: ToldText;
  push(event: Value): void;
  /** True once an event has ended the response. */
  readonly isOver: boolean;
  /** What its session is called; undefined where nothing told that so far. */
  readonly session: string | undefined;
  /** The response with all that came, as it would stand in a body of its own; undefined before anything came. */
  whole(): DictValue | undefined;
  /** What a reader should know of it, each a sentence. */
  readonly notes: readonly string[];
  /** Its messages, or items, as they stand, in their order: those that the response tells of in its end alone come last. */
  parts(): readonly ResponsePart[];
}

/** A message of a response, or an item of its output, as it stands. */
export interface ResponsePart {
  /** Tells it from all others of its response. */
  readonly key: string;
  /** As it would stand in the output, its contents within. */
  readonly value: DictValue;
  /** True once its end came. */
  readonly isClosed: boolean;
  readonly contents: readonly ResponseContent[];
}

/** A content of a message, or a part of an item. */
export interface ResponseContent {
  readonly key: string;
  readonly value: Value;
  readonly isClosed: boolean;
}

/** Hears which event made which part of a response, and what was odd about it: for who shows when each part came. */
export interface PartListener {
  /** An event is taken in; what is told until `taken` is about it. */
  take(event: Value): void;
  /** It belongs to the part with this key. */
  belongs(key: string): void;
  /** Of the part with this key; without one, of what the event belongs to. */
  note(text: string, key?: string): void;
  taken(): void;
}

/** What of a response is kept: all of it, or only how it stands, for who has no use for what it says. */
export type KeptPart = 'all' | 'outcome';

/** Things that happened to a response, counted. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #listener: Pick<PartListener, 'note'> | undefined;

  constructor(listener?: Pick<PartListener, 'note'>) {
    this.#listener = listener;
  }

  /** `key` is that of the part of a response that it happened to, where that is not the one of an event. */
  add(what: string, key?: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
    this.#listener?.note(what, key);
  }

  /** Each with its number: `3 × what`. */
  get lines(): readonly string[] {
    return [...this.#counts].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
  }
}
