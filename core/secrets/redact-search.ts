import type { Pattern } from './redact-patterns.ts';
import { BACKSLASH, type Spelling } from './redact-spellings.ts';

/** The maximum window size in characters: the table has one bit of a byte for each pair in the window. */
const LONGEST_WINDOW = 9;

/** The window size for texts of usual length; preparing a longer one costs more than it saves. */
const SHORT_WINDOW = 5;

/** The offset that was found, and the number of character pairs that were compared. */
interface Search {
  readonly at: number;
  readonly work: number;
}

/**
 * Finds where patterns may begin without reading most of the text: it reads a window backwards and skips
 * ahead if no pattern contains what it read (Navarro and Raffinot, "Backward Nondeterministic DAWG Matching",
 * on pairs of characters). Results may be false positives.
 */
export class PatternSearch {
  readonly #window: number;
  /** For each pair of low bytes, a bit for each window position at which a pattern contains that pair. */
  readonly #pairs = new Uint8Array(1 << 16);
  readonly #starts = new Set<number>();

  /** `texts` selects the window size. */
  constructor(patterns: readonly Pattern[], texts: 'usual' | 'long') {
    const longest = texts === 'usual' ? SHORT_WINDOW : LONGEST_WINDOW;
    const shortest = patterns.reduce((least, { needed }) => Math.min(least, needed), longest);
    this.#window = Math.max(2, shortest);
    this.#fill(patterns);
  }

  /**
   * The first offset at or after `from` at which a pattern may begin, or the
   * length of the text. In a run of backslashes it is the last one. Near the
   * end of the text, where no window fits, only the first character is checked.
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
        // The characters read so far may be the start of a pattern.
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
          // A run of backslashes of any length is found by its last backslash.
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

  /** Continues with the next characters of the patterns. */
  #follow(next: Level, code: number, owners: Iterable<number>, patterns: readonly Pattern[]): void {
    for (const owner of owners) {
      const pattern = patterns[Math.floor(owner / LONGEST_WINDOW)];
      // Only a pattern of one character can end inside the window; anything may follow it.
      if (pattern?.needed === 1) this.#pairs.fill(1, code << 8, (code + 1) << 8);
      const place = pattern?.spellings[(owner % LONGEST_WINDOW) + 1];
      if (place) next.add(place, code, [owner + 1]);
    }
  }
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 0xff) << 8) | (text.charCodeAt(at + 1) & 0xff);
}

/** Positions in patterns after the same number of characters, with the low bytes of the preceding characters. */
class Level {
  /**
   * Owners identify characters of patterns: the pattern's index
   * times the longest window, plus the character's index.
   */
  readonly places = new Map<Spelling, { readonly before: Set<number>; readonly owners: Set<number> }>();

  add(place: Spelling, before: number, owners: Iterable<number>): void {
    const known = this.places.get(place) ?? { before: new Set(), owners: new Set() };
    this.places.set(place, known);
    known.before.add(before);
    for (const owner of owners) known.owners.add(owner);
  }
}

/** True if the owners are first characters of patterns, which share no `Spelling` with later ones. */
function isFirst(owners: Iterable<number>): boolean {
  for (const owner of owners) return owner % LONGEST_WINDOW === 0;
  return false;
}
