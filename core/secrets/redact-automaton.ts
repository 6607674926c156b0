import type { NamedSecret } from '../text/secret.ts';
import type { Pattern } from './redact-patterns.ts';
import type { Spelling } from './redact-spellings.ts';

/** A place in a pattern: a node in the spellings of its character at an index. */
interface Place {
  readonly pattern: Pattern;
  readonly at: number;
  readonly node: Spelling;
}

/** What a text may be from its first character on: the places in patterns that its characters lead to. */
export class State {
  readonly places: readonly Place[];
  /** True if the text is a secret, which may have a name. */
  readonly isFound: boolean;
  readonly named: NamedSecret | undefined;
  /** The states after it that were needed so far. */
  readonly next = new Map<number, State | undefined>();

  constructor(reached: readonly Place[]) {
    const found = reached.filter(isComplete);
    this.places = reached.filter(({ node }) => node.next.size > 0);
    this.isFound = found.length > 0;
    this.named = found.find(({ pattern }) => pattern.named)?.pattern.named;
  }
}

/** The maximum number of states; then they are made anew. */
const MAX_STATES = 50_000;

/** The maximum number of characters of the window in which the beginning of a pattern is searched. */
const LONGEST_WINDOW = 6;

/** Recognises all patterns at once, one step a character. It is made as it is used: a text needs few of its states. */
export class SecretAutomaton {
  readonly #begin: readonly Place[];
  #root: State;
  #count = 0;
  /** The number of characters of which a pattern has at least as many. */
  readonly #window: number;
  /** For each pair of low bytes, a bit for each index in the window at which a pattern may have it. */
  #pairs: Uint8Array | undefined;

  constructor(patterns: readonly Pattern[]) {
    this.#begin = patterns.flatMap(pattern =>
      pattern.spellings.slice(0, 1).map(node => ({ pattern, at: 0, node })),
    );
    this.#root = new State(this.#begin);
    const lengths = patterns.map(
      ({ spellings, needed }) => spellings.slice(0, needed).filter(({ isEnd }) => !isEnd).length,
    );
    this.#window = Math.max(2, Math.min(LONGEST_WINDOW, ...lengths));
  }

  /** True if there is nothing to recognise. */
  get isEmpty(): boolean {
    return this.#begin.length === 0;
  }

  /** The state before the first character. */
  get root(): State {
    return this.#root;
  }

  /** The state after another character; undefined if the text is no beginning of a secret any more. */
  move(state: State, code: number): State | undefined {
    const known = state.next.get(code);
    if (known !== undefined || state.next.has(code)) return known;
    if (++this.#count > MAX_STATES) {
      this.#count = 0;
      this.#root = new State(this.#begin);
    }
    const reached: Place[] = [];
    for (const place of state.places)
      for (const to of listNext(place, code))
        if (
          !reached.some(({ pattern, at, node }) => pattern === to.pattern && at === to.at && node === to.node)
        )
          reached.push(to);
    const next = reached.length === 0 ? undefined : new State(reached);
    state.next.set(code, next);
    return next;
  }

  /**
   * The first index from `from` on at which a pattern may begin; near the end of the text it may be one at which none does.
   * Reads a window backwards and goes on after it if no pattern contains what it read (Navarro and Raffinot, "Backward
   * Nondeterministic DAWG Matching", on pairs of characters).
   */
  skip(text: string, from: number): number {
    const last = this.#window - 2;
    const end = text.length - last - 1;
    if (from >= end) return from;
    const pairs = (this.#pairs ??= this.#listPairs());
    let at = from;
    while (at < end) {
      let fits = pairs[pairAt(text, at + last)] ?? 0;
      let shift = last + 1;
      for (let index = last; fits !== 0;) {
        // The characters read so far may be the beginning of a pattern.
        if ((fits & 1) === 1) {
          if (index === 0) return at;
          shift = index;
        }
        index--;
        fits = (fits >> 1) & (pairs[pairAt(text, at + index)] ?? 0);
      }
      at += shift;
    }
    return at;
  }

  #listPairs(): Uint8Array {
    const pairs = new Uint8Array(2 ** 16);
    let places = this.#begin;
    for (let index = 0; index < this.#window - 1; index++) {
      const after: Place[] = [];
      for (const place of places)
        for (const code of place.node.next.keys()) {
          const row = (code & 0xff) << 8;
          for (const to of listNext(place, code)) {
            // A secret of one character may be before any other.
            if (isComplete(to)) pairs.fill(1, row, row + 0x100);
            for (const next of to.node.next.keys())
              pairs[row | (next & 0xff)] = (pairs[row | (next & 0xff)] ?? 0) | (1 << index);
            after.push(to);
          }
        }
      places = after;
    }
    return pairs;
  }
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

/** True if a secret may end here. A line break alone, which may also be none, ends nothing. */
function isComplete({ pattern, at, node }: Place): boolean {
  return node.isEnd && at + 1 >= pattern.needed && pattern.spellings[at]?.isEnd !== true;
}

/** The places after a character. */
function listNext({ pattern, at, node }: Place, code: number): readonly Place[] {
  const places: Place[] = [];
  let next = node.next.get(code);
  for (let index = at; next; index++) {
    places.push({ pattern, at: index, node: next });
    next = next.isEnd ? pattern.spellings[index + 1] : undefined;
  }
  return places;
}
