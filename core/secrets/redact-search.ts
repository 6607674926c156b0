import type { Pattern } from './redact-patterns.ts';
import { BACKSLASH, type Spelling } from './redact-spellings.ts';

/** The most characters that are looked at together; a byte has a bit for each pair of them. */
const LONGEST_WINDOW = 9;

/** A longer window takes longer to prepare than it saves in a text of a usual length. */
const SHORT_WINDOW = 5;

/** What was found, and how many pairs of characters were looked at for it. */
interface Search {
  readonly at: number;
  readonly work: number;
}

/**
 * Finds where patterns may begin, without looking at most of a text: a window of a few characters is read from its end, and
 * goes on past what no pattern has there (Navarro and Raffinot, "Backward Nondeterministic DAWG Matching", over pairs of
 * characters). What it finds may still turn out to be none.
 */
export class PatternSearch {
  readonly #window: number;
  /** For each pair of low bytes of two characters the places in the window at which patterns have it, a bit each. */
  readonly #pairs = new Uint8Array(1 << 16);
  readonly #starts = new Set<number>();

  /** `texts` says what it is prepared for. */
  constructor(patterns: readonly Pattern[], texts: 'usual' | 'long') {
    const longest = texts === 'usual' ? SHORT_WINDOW : LONGEST_WINDOW;
    const shortest = patterns.reduce((least, { needed }) => Math.min(least, needed), longest);
    this.#window = Math.max(2, shortest);
    this.#fill(patterns);
  }

  /**
   * The first place, from one on, at which a pattern may begin; of a run of backslashes that is the last one. The length of
   * the text where there is none. What is too near to the end for a window is judged by one character.
   */
  find(text: string, from: number): Search {
    const pairs = this.#pairs;
    const last = this.#window - 2;
    const end = text.length - last - 1;
    let at = from;
    let work = 0;
    while (at < end) {
      let fits = pairs[pairAt(text, at + last)] ?? 0;
      let shift = last + 1;
      work++;
      for (let place = last; fits !== 0;) {
        // What was read of the window may be how a pattern begins.
        if ((fits & 1) === 1) {
          if (place === 0) return { at, work };
          shift = place;
        }
        place--;
        fits = (fits >> 1) & (pairs[pairAt(text, at + place)] ?? 0);
        work++;
      }
      at += shift;
    }
    while (at < text.length && !this.#starts.has(text.charCodeAt(at))) at++;
    return { at, work };
  }

  #fill(patterns: readonly Pattern[]): void {
    let level = new Level();
    for (const [index, { spellings }] of patterns.entries())
      if (spellings[0]) level.add(spellings[0], 0, [index * LONGEST_WINDOW]);
    for (let read = 0; read < this.#window; read++) {
      const next = new Level();
      for (const [place, { before, owners }] of level.places) {
        for (const [code, after] of place.next) {
          if (read === 0) this.#starts.add(code);
          // A run of backslashes that may be of any length is found by its last.
          if (read === 1 && code === BACKSLASH && before.has(BACKSLASH) && isFirst(owners)) continue;
          if (read > 0) this.#addPairs(before, code & 0xff, read - 1);
          if (after.next.size > 0) next.add(after, code & 0xff, owners);
          if (after.isEnd) this.#follow(next, code & 0xff, owners, patterns);
        }
      }
      level = next;
    }
  }

  #addPairs(before: ReadonlySet<number>, code: number, place: number): void {
    for (const first of before) {
      const pair = (first << 8) | code;
      this.#pairs[pair] = (this.#pairs[pair] ?? 0) | (1 << place);
    }
  }

  /** Goes on to the next characters of patterns. */
  #follow(next: Level, code: number, owners: Iterable<number>, patterns: readonly Pattern[]): void {
    for (const owner of owners) {
      const pattern = patterns[Math.floor(owner / LONGEST_WINDOW)];
      // The only pattern that ends in the window is one of one character: anything may follow it.
      if (pattern?.needed === 1) this.#pairs.fill(1, code << 8, (code + 1) << 8);
      const place = pattern?.spellings[(owner % LONGEST_WINDOW) + 1];
      if (place) next.add(place, code, [owner + 1]);
    }
  }
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

/** Places after as many characters, with the low bytes of the characters before them. */
class Level {
  /** Owners are the characters of patterns that are being read: the pattern's index times the longest window, and the character's. */
  readonly places = new Map<Spelling, { readonly before: Set<number>; readonly owners: Set<number> }>();

  add(place: Spelling, before: number, owners: Iterable<number>): void {
    const known = this.places.get(place) ?? { before: new Set(), owners: new Set() };
    this.places.set(place, known);
    known.before.add(before);
    for (const owner of owners) known.owners.add(owner);
  }
}

/** True for the first characters of patterns, which share no place with later ones. */
function isFirst(owners: Iterable<number>): boolean {
  for (const owner of owners) return owner % LONGEST_WINDOW === 0;
  return false;
}
