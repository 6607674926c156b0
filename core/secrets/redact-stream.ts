import type { Redaction } from '../events/events.ts';
import type { NamedSecret } from '../text/secret.ts';
import { REDACTED, type SecretSpan } from './credential-values.ts';
import type { SecretSearch } from './secret-search.ts';
import type { SplitSecrets } from './split-secrets.ts';

export { REDACTED };

/** A piece of a stream with its secrets replaced. `redacted` counts in the units of that stream. */
export interface RedactedPiece {
  readonly text: string;
  readonly redacted: readonly Redaction[];
}

/**
 * Replaces secrets in a stream that arrives in pieces. Text that may begin a secret is held back until the next piece
 * decides, so the output never contains a part of one. Overlapping secrets are replaced as one.
 */
export class SecretStream {
  readonly #search: SecretSearch;
  readonly #split: SplitSecrets | undefined;
  /** The secrets that are not released yet. */
  #spans: readonly SecretSpan[] = [];
  #held = '';
  /** The number of characters that were released. */
  #released = 0;

  /** `split` also finds the secrets that a stream of messages has in pieces. */
  constructor(search: SecretSearch, split?: SplitSecrets) {
    this.#search = search;
    this.#split = split;
  }

  /** The number of groups of candidates that were followed, each for a character. */
  get work(): number {
    return this.#search.work;
  }

  /** The number of characters that are held back. */
  get held(): number {
    return this.#held.length;
  }

  /** Adds a piece and returns the text that can be released. */
  push(piece: string): RedactedPiece {
    this.#search.push(piece);
    this.#split?.push(piece);
    return this.#release(piece, Math.min(this.#search.hold, this.#split?.hold ?? Infinity));
  }

  /** Ends the stream and returns the text that was held back. */
  end(): RedactedPiece {
    this.#search.end();
    this.#split?.end();
    return this.#release('', Infinity);
  }

  /** Releases the text up to an offset at which no secret is cut, and holds back the rest. */
  #release(piece: string, hold: number): RedactedPiece {
    const text = this.#held + piece;
    const begin = this.#released;
    const end = begin + text.length;
    this.#spans = uniteSpans([...this.#spans, ...this.#search.take(), ...(this.#split?.take() ?? [])]);
    const open = Math.max(begin, Math.min(hold, end));
    const stop = Math.min(open, this.#spans.find(span => span.end > open)?.start ?? open);
    this.#released = Math.max(begin, stop);
    this.#held = text.slice(this.#released - begin);
    if (this.#spans.length === 0) return { text: text.slice(0, this.#released - begin), redacted: NONE };
    const parts: string[] = [];
    const redacted: Redaction[] = [];
    let length = 0;
    let from = begin;
    for (const span of this.#spans) {
      if (span.end > this.#released) break;
      // What was released before it was recognised stays as it is.
      const start = Math.max(from, span.start);
      if (start >= span.end) continue;
      const before = text.slice(from - begin, start - begin);
      const own = text.slice(start - begin, span.end - begin);
      const isExact = span.named && start === span.start && !isEscaped(own, span.named);
      const template = isExact ? { template: span.named.template } : {};
      redacted.push({ at: length + before.length, length: own.length, ...template });
      parts.push(before, REDACTED);
      length += before.length + REDACTED.length;
      from = span.end;
    }
    parts.push(text.slice(from - begin, this.#released - begin));
    this.#spans = this.#spans.filter(span => span.end > this.#released);
    return { text: parts.join(''), redacted };
  }
}

const NONE: readonly Redaction[] = [];

/** Sorted spans; overlapping ones are merged. */
function uniteSpans(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  if (spans.length < 2) return spans;
  const united: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = united.at(-1);
    if (last && span.start < last.end) united[united.length - 1] = joinSpans(last, span);
    else united.push(span);
  }
  return united;
}

/** Merges two overlapping spans; the result has a name only if one of them covers the other. */
function joinSpans(first: SecretSpan, second: SecretSpan): SecretSpan {
  const covers = (one: SecretSpan, other: SecretSpan): boolean =>
    one.start <= other.start && one.end >= other.end;
  if (covers(first, second) && (first.named || !covers(second, first))) return first;
  if (covers(second, first)) return second;
  return { start: first.start, end: second.end };
}

/** True if a secret is spelled as in a URL, so that its template would not restore the original spelling. */
function isEscaped(found: string, { value }: NamedSecret): boolean {
  return ESCAPE.test(found) && !ESCAPE.test(value);
}

const ESCAPE = /%[0-9A-Fa-f]{2}/;
