import { CredentialScanner, type BodyKind, type CredentialSpan } from './credential-scanner.ts';
import { REDACTED, type Rest } from './credential-values.ts';
import type { Redaction } from '../events/events.ts';
import type { NamedSecret } from '../text/secret.ts';
import type { Pattern } from './redact-patterns.ts';
import { PatternSearch } from './redact-search.ts';
import { BACKSLASH, type Spelling } from './redact-spellings.ts';
import type { SplitSecrets } from './split-secrets.ts';

export { REDACTED };

/** A piece of a stream with its secrets replaced. `redacted` counts in the units of that stream. */
export interface RedactedPiece {
  readonly text: string;
  readonly redacted: readonly Redaction[];
}

/** A pattern with the index of its first character among the characters of all patterns. */
interface NumberedPattern extends Pattern {
  readonly offset: number;
}

interface Begin {
  readonly pattern: NumberedPattern;
  readonly place: Spelling;
}

/** The length in characters from which on a stream is worth the longer search window. */
const LONG = 2 ** 20;

/** Finds where patterns may begin; shared by several streams. */
export class PatternSet {
  /** The patterns that begin with a character, and the node that follows it. */
  readonly starts: ReadonlyMap<number, readonly Begin[]>;
  readonly #patterns: readonly Pattern[];
  readonly #search: PatternSearch;
  #longSearch: PatternSearch | undefined;

  constructor(patterns: readonly Pattern[]) {
    const starts = new Map<number, Begin[]>();
    let offset = 0;
    for (const pattern of patterns) {
      for (const [code, place] of pattern.spellings[0]?.next ?? [])
        starts.set(code, [...(starts.get(code) ?? []), { pattern: { ...pattern, offset }, place }]);
      offset += pattern.spellings.length;
    }
    this.starts = starts;
    this.#patterns = patterns;
    this.#search = new PatternSearch(patterns, 'usual');
  }

  /** False if no pattern begins in the text. */
  mayOccurIn(text: string): boolean {
    return this.starts.size > 0 && this.searchFor(text.length).find(text, 0).at < text.length;
  }

  /** The search to use for a stream of which `length` characters have arrived. */
  searchFor(length: number): PatternSearch {
    if (length < LONG) return this.#search;
    return (this.#longSearch ??= new PatternSearch(this.#patterns, 'long'));
  }
}

/** A candidate match of a pattern. */
interface Thread {
  readonly pattern: NumberedPattern;
  /** The index of the pattern's character that is being read, and the node in its spellings. */
  readonly at: number;
  readonly place: Spelling;
  /** The start of the candidate in the text. */
  readonly start: number;
}

interface Span extends CredentialSpan {
  /** The named secret that covers the whole span, if there is one. */
  readonly named?: NamedSecret | undefined;
}

/**
 * Replaces secrets in a stream that arrives in pieces. Text that may begin a secret is held back until the next piece
 * decides, so the output never contains a part of one. Overlapping secrets are replaced as one. Each character is read
 * once for all candidates; of candidates at the same position of a pattern, the one that began first continues.
 */
export class SecretStream {
  readonly #findSet: () => PatternSet;
  #set: PatternSet | undefined;
  #threads: Thread[] = [];
  /** The positions reached in the current step: indices of pattern characters by node. */
  readonly #seen = new Map<Spelling, Set<number>>();
  #found: Span[] = [];
  /** Credentials that were found by what precedes them. */
  #credentials: readonly Span[] = [];
  readonly #scanner: CredentialScanner;
  readonly #split: SplitSecrets | undefined;
  #held = '';
  /** The number of characters that were released. */
  #released = 0;
  /** The last character of the previous piece. */
  #previous = 0;
  #length = 0;
  #work = 0;

  /**
   * `findSet` is called with the first piece, because many streams have none. `split` also finds the secrets that a
   * stream of messages has in pieces.
   */
  constructor(findSet: () => PatternSet, kind: BodyKind = 'any', split?: SplitSecrets) {
    this.#findSet = findSet;
    this.#scanner = new CredentialScanner(kind);
    this.#split = split;
  }

  /** The number of comparisons of characters or pairs of characters. */
  get work(): number {
    return this.#work;
  }

  /** True while text is held back. */
  get isHolding(): boolean {
    return this.#held !== '';
  }

  /** The number of characters that are held back. */
  get held(): number {
    return this.#held.length;
  }

  /** Adds a piece and returns the text that can be released. */
  push(piece: string): RedactedPiece {
    const set = (this.#set ??= this.#findSet());
    const text = this.#held + piece;
    if (set.starts.size > 0) this.#read(text, this.#held.length, set);
    const hold = Math.min(this.#scan(text, 'more'), this.#findSplit(piece));
    return this.#release(
      text,
      this.#threads.reduce((first, { start }) => Math.min(first, start), hold),
    );
  }

  /** Searches for secrets in pieces; returns the offset from which the text must be held back. */
  #findSplit(piece: string): number {
    if (!this.#split) return Infinity;
    this.#split.push(piece);
    this.#addSplit(this.#split);
    return Math.max(0, this.#split.hold - this.#released);
  }

  /** Adds the secrets that were found in pieces, without what of them was released before they were recognised. */
  #addSplit(split: SplitSecrets): void {
    const found = split.take();
    if (found.length === 0) return;
    const spans = found.map(({ start, end }) => ({
      start: Math.max(0, start - this.#released),
      end: end - this.#released,
    }));
    this.#credentials = [...this.#credentials, ...spans.filter(({ end }) => end > 0)];
  }

  /** Scans for credentials; returns the offset from which the text must be held back. */
  #scan(text: string, rest: Rest): number {
    const { spans, hold } = this.#scanner.scan(text, rest);
    if (spans.length > 0) this.#credentials = [...this.#credentials, ...spans];
    return hold;
  }

  /** Ends the stream and returns the text that was held back. */
  end(): RedactedPiece {
    this.#threads = [];
    this.#previous = 0;
    this.#scan(this.#held, 'none');
    this.#split?.end();
    if (this.#split) this.#addSplit(this.#split);
    return this.#release(this.#held, this.#held.length);
  }

  #read(text: string, from: number, set: PatternSet): void {
    this.#length += text.length - from;
    const search = set.searchFor(this.#length);
    for (let at = from; at < text.length; at++) {
      if (this.#threads.length === 0) {
        const { at: next, work } = search.find(text, at);
        this.#work += work;
        if (next === text.length) break;
        at = findRun(text, next, at);
      }
      this.#step(text, at, set);
    }
    if (text !== '') this.#previous = text.charCodeAt(text.length - 1);
  }

  #step(text: string, at: number, set: PatternSet): void {
    const code = text.charCodeAt(at);
    // The candidate that began first comes first, so that it wins over later ones at the same position.
    const threads =
      this.#threads.length > 1 ? this.#threads.sort((a, b) => a.start - b.start) : this.#threads;
    this.#threads = [];
    this.#seen.clear();
    this.#work += threads.length;
    for (const { pattern, at: character, place, start } of threads) {
      const next = place.next.get(code);
      // If a run has more backslashes than a spelling can have, the match begins one backslash later.
      if (next)
        this.#add({ pattern, at: character, place: next, start: next === place ? start + 1 : start }, at);
    }
    const previous = at > 0 ? text.charCodeAt(at - 1) : this.#previous;
    // A run of backslashes is read from its first one only.
    if (code !== BACKSLASH || previous !== BACKSLASH) {
      for (const { pattern, place } of set.starts.get(code) ?? []) {
        this.#work++;
        this.#add({ pattern, at: 0, place, start: at }, at);
      }
    }
  }

  /** Adds a candidate that has read the character at `end`, unless an earlier one has reached the same position. */
  #add(thread: Thread, end: number): void {
    const { pattern, at, place, start } = thread;
    if (place.next.size > 0 && this.#isNew(thread)) this.#threads.push(thread);
    if (!place.isEnd) return;
    if (at + 1 >= pattern.needed) this.#keep({ start, end: end + 1, named: pattern.named });
    const next = pattern.spellings[at + 1];
    const following = next && { pattern, at: at + 1, place: next, start };
    if (following && this.#isNew(following)) this.#threads.push(following);
  }

  #isNew({ pattern, at, place }: Thread): boolean {
    const known = this.#seen.get(place) ?? new Set();
    this.#seen.set(place, known);
    const key = pattern.offset + at;
    return known.size !== known.add(key).size;
  }

  #keep(found: Span): void {
    let span = found;
    for (let last = this.#found.at(-1); last && last.end > span.start; last = this.#found.at(-1)) {
      span = joinSpans(last, span);
      this.#found.pop();
    }
    this.#found.push(span);
  }

  /** Releases a text without secrets, which is the usual case. */
  #releaseAll(text: string): RedactedPiece {
    this.#held = '';
    this.#released += text.length;
    this.#scanner.release(text, text.length);
    return { text, redacted: NONE };
  }

  /** Releases the text up to an offset at which no secret is cut, and holds back the rest. */
  #release(text: string, open: number): RedactedPiece {
    const spans =
      this.#credentials.length === 0 ? this.#found : uniteSpans([...this.#found, ...this.#credentials]);
    if (spans.length === 0 && open === text.length) return this.#releaseAll(text);
    const cut = spans.find(({ end }) => end > open);
    const hold = cut ? Math.min(cut.start, open) : open;
    const parts: string[] = [];
    const redacted: Redaction[] = [];
    let length = 0;
    let from = 0;
    for (const { start, end, named } of spans) {
      if (end > hold) break;
      const before = text.slice(from, start);
      const template = named && !isEscaped(text.slice(start, end), named) ? { template: named.template } : {};
      redacted.push({ at: length + before.length, length: end - start, ...template });
      parts.push(before, REDACTED);
      length += before.length + REDACTED.length;
      from = end;
    }
    parts.push(text.slice(from, hold));
    this.#held = text.slice(hold);
    this.#released += hold;
    this.#found = moveSpans(this.#found, hold);
    this.#credentials = moveSpans(this.#credentials, hold);
    this.#scanner.release(text, hold);
    this.#threads = this.#threads.map(thread => ({ ...thread, start: thread.start - hold }));
    return { text: parts.join(''), redacted };
  }
}

const NONE: readonly Redaction[] = [];

/** The spans that end after an offset, relative to it. */
function moveSpans(spans: readonly Span[], to: number): Span[] {
  return spans
    .filter(({ end }) => end > to)
    .map(({ start, end, named }) => ({ start: start - to, end: end - to, named }));
}

/** Sorted spans; overlapping ones are merged. */
function uniteSpans(spans: readonly Span[]): readonly Span[] {
  const united: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = united.at(-1);
    if (!last || last.end <= span.start) united.push(span);
    else {
      united.pop();
      united.push(last.end <= span.end ? joinSpans(last, span) : last.start === span.start ? span : last);
    }
  }
  return united;
}

/**
 * Merges two overlapping spans of which the second ends no sooner.
 * The result has a name only if one of them covers the other.
 */
function joinSpans(first: Span, second: Span): Span {
  const { start, end } = second;
  const isWithin = first.end === end;
  if (first.start < start) return { start: first.start, end, named: isWithin ? first.named : undefined };
  return { start, end, named: second.named ?? (isWithin && first.start === start ? first.named : undefined) };
}

/** True if a secret is spelled as in a URL, so that its template would not restore the original spelling. */
function isEscaped(found: string, { value }: NamedSecret): boolean {
  return ESCAPE.test(found) && !ESCAPE.test(value);
}

const ESCAPE = /%[0-9A-Fa-f]{2}/;

/** The start of the run of backslashes that contains an offset; the offset itself if there is none. */
function findRun(text: string, at: number, from: number): number {
  let start = at;
  if (text.charCodeAt(at) === BACKSLASH)
    while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start--;
  return start;
}
