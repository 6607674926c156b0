import { CredentialScanner, type BodyKind, type CredentialSpan } from './credential-scanner.ts';
import { REDACTED, type Rest } from './credential-values.ts';
import type { Redaction } from '../events/events.ts';
import type { NamedSecret } from '../text/secret.ts';
import type { Pattern } from './redact-patterns.ts';
import { PatternSearch } from './redact-search.ts';
import { BACKSLASH, type Spelling } from './redact-spellings.ts';

export { REDACTED };

/** A piece of a stream with its secrets replaced; `redacted` counts in the units of that stream. */
export interface RedactedPiece {
  readonly text: string;
  readonly redacted: readonly Redaction[];
}

/** A pattern, and the number of its first character among those of all patterns. */
interface NumberedPattern extends Pattern {
  readonly offset: number;
}

interface Begin {
  readonly pattern: NumberedPattern;
  readonly place: Spelling;
}

/** Characters of a stream that is worth preparing for. */
const LONG = 2 ** 20;

/** Knows where patterns may begin. Streams share it. */
export class PatternSet {
  /** The patterns that a character may begin, and where it leads. */
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

  /** False for a text in which no pattern begins. */
  mayOccurIn(text: string): boolean {
    return this.starts.size > 0 && this.searchFor(text.length).find(text, 0).at < text.length;
  }

  /** Finds where patterns may begin in a stream of which so many characters have come. */
  searchFor(length: number): PatternSearch {
    if (length < LONG) return this.#search;
    return (this.#longSearch ??= new PatternSearch(this.#patterns, 'long'));
  }
}

/** What may turn out to be a secret, and how far it was read. */
interface Thread {
  readonly pattern: NumberedPattern;
  /** The character of the pattern that is being read, and the place in its spellings. */
  readonly at: number;
  readonly place: Spelling;
  /** Where it begins in the text. */
  readonly start: number;
}

interface Span extends CredentialSpan {
  /** The one secret that is all of it, where that has a name. */
  readonly named?: NamedSecret | undefined;
}

/**
 * Replaces secrets in a stream that comes piece by piece. What may begin a secret is held back until the next piece tells,
 * so what is let through never holds a part of one. Secrets that overlap are replaced as one. Each character is read once, by
 * all that it may continue: of those that have come equally far in a pattern the one that began first goes on.
 */
export class SecretStream {
  readonly #findSet: () => PatternSet;
  #set: PatternSet | undefined;
  #threads: Thread[] = [];
  /** Where the threads of one step are: characters of patterns by their places. */
  readonly #seen = new Map<Spelling, Set<number>>();
  #found: Span[] = [];
  /** Credentials that are known by what stands before them. */
  #credentials: readonly Span[] = [];
  readonly #scanner: CredentialScanner;
  #held = '';
  /** The last character of the piece before. */
  #previous = 0;
  #length = 0;
  #work = 0;

  /** The patterns are asked for with the first piece: many a stream has none. */
  constructor(findSet: () => PatternSet, kind: BodyKind = 'any') {
    this.#findSet = findSet;
    this.#scanner = new CredentialScanner(kind);
  }

  /** How often a character, or a pair of them, was compared. */
  get work(): number {
    return this.#work;
  }

  /** True while some of what came waits for more. */
  get isHolding(): boolean {
    return this.#held !== '';
  }

  /** What can be let through after this piece. */
  push(piece: string): RedactedPiece {
    const set = (this.#set ??= this.#findSet());
    const text = this.#held + piece;
    if (set.starts.size > 0) this.#read(text, this.#held.length, set);
    const hold = this.#scan(text, 'more');
    return this.#release(
      text,
      this.#threads.reduce((first, { start }) => Math.min(first, start), hold),
    );
  }

  /** Looks for credentials. Answers from where on the text waits for more. */
  #scan(text: string, rest: Rest): number {
    const { spans, hold } = this.#scanner.scan(text, rest);
    if (spans.length > 0) this.#credentials = [...this.#credentials, ...spans];
    return hold;
  }

  /** What was held back, when the stream has ended. */
  end(): RedactedPiece {
    this.#threads = [];
    this.#previous = 0;
    this.#scan(this.#held, 'none');
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
    // What began first comes first: it goes on where two are equally far.
    const threads =
      this.#threads.length > 1 ? this.#threads.sort((a, b) => a.start - b.start) : this.#threads;
    this.#threads = [];
    this.#seen.clear();
    this.#work += threads.length;
    for (const { pattern, at: character, place, start } of threads) {
      const next = place.next.get(code);
      // A run of backslashes that is longer than any that counts begins one later.
      if (next)
        this.#add({ pattern, at: character, place: next, start: next === place ? start + 1 : start }, at);
    }
    const previous = at > 0 ? text.charCodeAt(at - 1) : this.#previous;
    // A run of backslashes is read from its first.
    if (code !== BACKSLASH || previous !== BACKSLASH) {
      for (const { pattern, place } of set.starts.get(code) ?? []) {
        this.#work++;
        this.#add({ pattern, at: 0, place, start: at }, at);
      }
    }
  }

  /** Goes on with a thread that has read the character at `end`, unless an earlier one has come as far. */
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

  /** Lets a text through up to a place at which no secret is cut, and holds back the rest. */
  #release(text: string, open: number): RedactedPiece {
    const spans =
      this.#credentials.length === 0 ? this.#found : uniteSpans([...this.#found, ...this.#credentials]);
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
    this.#found = moveSpans(this.#found, hold);
    this.#credentials = moveSpans(this.#credentials, hold);
    this.#scanner.release(text, hold);
    this.#threads = this.#threads.map(thread => ({ ...thread, start: thread.start - hold }));
    return { text: parts.join(''), redacted };
  }
}

/** Those that end after a place, counted from there. */
function moveSpans(spans: readonly Span[], to: number): Span[] {
  return spans
    .filter(({ end }) => end > to)
    .map(({ start, end, named }) => ({ start: start - to, end: end - to, named }));
}

/** Spans in their order, those that overlap as one. */
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

/** Two spans that overlap, of which the second ends no sooner. One secret is all of them only where it covers the other. */
function joinSpans(first: Span, second: Span): Span {
  const { start, end } = second;
  const isWithin = first.end === end;
  if (first.start < start) return { start: first.start, end, named: isWithin ? first.named : undefined };
  return { start, end, named: second.named ?? (isWithin && first.start === start ? first.named : undefined) };
}

/** True for a secret as a URL spells it, where it cannot be put back as a message spells it. */
function isEscaped(found: string, { value }: NamedSecret): boolean {
  return ESCAPE.test(found) && !ESCAPE.test(value);
}

const ESCAPE = /%[0-9A-Fa-f]{2}/;

/** Where the run of backslashes begins that a place is in; the place itself where it is in none. */
function findRun(text: string, at: number, from: number): number {
  let start = at;
  if (text.charCodeAt(at) === BACKSLASH)
    while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start--;
  return start;
}
