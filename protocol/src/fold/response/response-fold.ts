import type { DictValue, Value } from '../../message/value.ts';
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
}

/** What of a response is kept: all of it, or only how it stands, for who has no use for what it says. */
export type KeptPart = 'all' | 'outcome';

/** Things that happened to a response, counted. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Each with its number: `3 × what`. */
  get lines(): readonly string[] {
    return [...this.#counts].map(([what, count]) => (count === 1 ? what : `${what} (${count} times)`));
  }
}
