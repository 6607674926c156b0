import type { NamedSecret } from '../text/secret.ts';
import type { Pattern } from './redact-patterns.ts';
import { BACKSLASH, type Spelling } from './redact-spellings.ts';

/** A place in a pattern: a node in the spellings of one of its characters. */
interface Place {
  readonly pattern: Pattern;
  /** The index of the pattern and that of its character. */
  readonly index: number;
  readonly at: number;
  readonly node: Spelling;
  /** The group of its candidate. */
  readonly group: number;
}

/** The origin of candidates that begin with the character of the move. */
export const HERE = -1;

/** Where a group of candidates begins: where that with an index in the state before does, or one later, or `HERE`. */
export interface Origin {
  readonly from: number;
  readonly later: 0 | 1;
}

/** A step of the automaton. */
export interface Move {
  readonly to: State;
  /** The origins of the groups of `to`. */
  readonly origins: readonly Origin[];
  /** The secrets that end with this character. */
  readonly found: readonly (Origin & { readonly named: NamedSecret | undefined })[];
  /** True if there is at most one group before and after it, and no secret ends. */
  readonly isSimple: boolean;
  /** The start of that group: `HERE`, or how much later it is than before. */
  readonly start: number;
}

/** The character before a state, as far as it makes a difference. */
type After = 'backslash' | 'any';

/** A set of candidates. Those that begin at the same place are a group; groups are in the order of their beginnings. */
export class State {
  readonly places: readonly Place[];
  readonly after: After;
  /** The number of groups. */
  readonly groups: number;
  /** The moves that were needed so far, by character. */
  readonly moves: (Move | undefined)[] = [];
  readonly otherMoves = new Map<number, Move>();

  constructor(places: readonly Place[], after: After) {
    this.places = places;
    this.after = after;
    this.groups = places.reduce((most, { group }) => Math.max(most, group + 1), 0);
  }
}

/** The maximum number of characters of the window in which the beginning of a pattern is searched. */
const LONGEST_WINDOW = 6;

/** The number of characters whose moves are in a list. */
const COMMON = 256;

/** The maximum number of moves and of places in states; then they are made anew. */
const MAX_SIZE = 200_000;

/**
 * Recognises all patterns at once, one step a character. It is made as it is used: a text needs few of its states. Of
 * candidates at the same place of a pattern, the one that began first continues.
 */
export class SecretAutomaton {
  readonly #starts = new Map<number, Place[]>();
  readonly #states = new Map<string, State>();
  /** The number of moves and of places in states. */
  #size = 0;
  /** The state without candidates. */
  readonly root = new State([], 'any');
  /** The number of characters of which a pattern has at least as many. */
  readonly #window: number;
  /** For each pair of low bytes, a bit for each index in the window at which a pattern may have it. */
  #pairs: Uint8Array | undefined;

  constructor(patterns: readonly Pattern[]) {
    this.#window = Math.max(
      2,
      patterns.reduce((least, { needed }) => Math.min(least, needed), LONGEST_WINDOW),
    );
    for (const [index, pattern] of patterns.entries())
      for (const [code, node] of pattern.spellings[0]?.next ?? [])
        this.#starts.set(code, [
          ...(this.#starts.get(code) ?? []),
          { pattern, index, at: 0, node, group: 0 },
        ]);
  }

  /**
   * The first index from `from` on at which a pattern may begin; near the end of the text it may be one at which none does.
   * Reads a window backwards and goes on after it if no pattern contains what it read (Navarro and Raffinot, "Backward
   * Nondeterministic DAWG Matching", on pairs of characters).
   */
  skip(text: string, from: number): number {
    const pairs = (this.#pairs ??= this.#listPairs());
    const last = this.#window - 2;
    const end = text.length - last - 1;
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
    const pairs = new Uint8Array(1 << 16);
    let level = new Map<string, readonly [code: number, place: Place]>();
    for (const [code, starts] of this.#starts)
      for (const place of starts) {
        if (isComplete(place)) pairs.fill(1, (code & 0xff) << 8, ((code & 0xff) + 1) << 8);
        level.set(`${code} ${keyOf(place)}`, [code, place]);
      }
    for (let index = 0; index < this.#window - 1; index++) {
      const next = new Map<string, readonly [code: number, place: Place]>();
      for (const [before, place] of level.values())
        for (const [code, to] of listNext(place)) {
          const pair = ((before & 0xff) << 8) | (code & 0xff);
          pairs[pair] = (pairs[pair] ?? 0) | (1 << index);
          next.set(`${code} ${keyOf(to)}`, [code, to]);
        }
      level = next;
    }
    return pairs;
  }

  /** True if there is nothing to recognise. */
  get isEmpty(): boolean {
    return this.#starts.size === 0;
  }

  move(state: State, code: number): Move {
    const known = code < COMMON ? state.moves[code] : state.otherMoves.get(code);
    if (known) return known;
    if (++this.#size > MAX_SIZE) this.#forget();
    const move = this.#make(state, code);
    if (code < COMMON) state.moves[code] = move;
    else state.otherMoves.set(code, move);
    return move;
  }

  #make(state: State, code: number): Move {
    const step = new Step();
    // If a run has more backslashes than a spelling can have, the match begins one backslash later.
    for (const later of [0, 1] as const)
      for (const place of state.places) {
        const node = place.node.next.get(code);
        if (node && (node === place.node) === (later === 1))
          step.add({ ...place, node }, { from: place.group, later });
      }
    // A run of backslashes is read from its first one only.
    if (code !== BACKSLASH || state.after === 'any')
      for (const place of this.#starts.get(code) ?? []) step.add(place, { from: HERE, later: 0 });
    const isInRun = code === BACKSLASH && this.#starts.has(BACKSLASH);
    const to = this.#find(step.places, isInRun ? 'backslash' : 'any');
    const { origins, found } = step;
    const isSimple = state.groups < 2 && to.groups < 2 && found.length === 0;
    const start = origins[0]?.from === HERE ? HERE : (origins[0]?.later ?? 0);
    return { to, origins, found, isSimple, start };
  }

  #find(places: readonly Place[], after: After): State {
    if (places.length === 0 && after === 'any') return this.root;
    const key = [after, ...places.map(place => `${keyOf(place)} ${place.group}`)].join();
    const known = this.#states.get(key);
    if (known) return known;
    const state = new State(places, after);
    this.#states.set(key, state);
    this.#size += places.length;
    return state;
  }

  #forget(): void {
    this.#size = 0;
    this.#states.clear();
    this.root.moves.length = 0;
    this.root.otherMoves.clear();
  }
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

/** The name of a place. */
function keyOf({ index, at, node }: Place): string {
  return `${index} ${at} ${node.id}`;
}

/** True if a secret may end here. */
function isComplete({ pattern, at, node }: Place): boolean {
  return node.isEnd && at + 1 >= pattern.needed;
}

/** The places after a place, by the character that leads there. */
function* listNext(place: Place): Generator<readonly [code: number, place: Place], void> {
  for (const [code, node] of place.node.next) yield [code, { ...place, node }];
  const at = place.at + 1;
  for (const [code, node] of (place.node.isEnd && place.pattern.spellings[at]?.next) || [])
    yield [code, { ...place, at, node }];
}

/** The candidates after a character. */
class Step {
  readonly places: Place[] = [];
  readonly origins: Origin[] = [];
  readonly found: (Origin & { readonly named: NamedSecret | undefined })[] = [];
  readonly #seen = new Set<string>();

  add(place: Place, origin: Origin): void {
    const { pattern, at, node } = place;
    if (node.next.size > 0) this.#follow(place, origin);
    if (!node.isEnd) return;
    if (isComplete(place)) this.found.push({ ...origin, named: pattern.named });
    const next = pattern.spellings[at + 1];
    if (next) this.#follow({ ...place, at: at + 1, node: next }, origin);
  }

  #follow(place: Place, origin: Origin): void {
    const key = keyOf(place);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const known = this.origins.findIndex(({ from, later }) => from === origin.from && later === origin.later);
    const group = known === -1 ? this.origins.push(origin) - 1 : known;
    this.places.push({ ...place, group });
  }
}
