import { SIGN_IN_MEMBERS } from '../catalog/secret-names.ts';
import { CONTEXT, findAnnouncement, findMember, readAnnounced } from './credential-announcements.ts';
import {
  endOfText,
  endOfWhole,
  lengthOfPlain,
  LONGEST,
  type FindEnd,
  type Rest,
  type Value,
} from './credential-values.ts';
import { isSecretMember, isSecretName } from './secret-name.ts';

/**
 * The kind of a text, as far as the search for credentials depends on it. In a `form`, fields are separated
 * by `&` only. In a `sign-in` message, more members are credentials. A `json` document may turn out to be a
 * sign-in. `unknown` becomes `json` if the text begins like JSON.
 */
export type BodyKind = 'any' | 'form' | 'json' | 'sign-in' | 'unknown';

/** The span of a credential in a text. */
export interface CredentialSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * The result of a scan after another piece: the credentials
 * found, and the offset from which the text must be held back.
 */
export interface CredentialScan {
  readonly spans: readonly CredentialSpan[];
  readonly hold: number;
}

/** The maximum number of characters of a JSON document that are held back until it is known whether it is a sign-in. */
const LONGEST_DOCUMENT = 64 * 1024;

const SIGN_IN: ReadonlySet<string> = new Set(SIGN_IN_MEMBERS);

/**
 * Finds credentials in a text that arrives in pieces by what precedes them: names of parameters and JSON
 * members, user info of URLs, `Bearer` and `Basic`, prefixes of service tokens, JWTs. Linear: the part of a
 * piece that is scanned again with the next one is bounded.
 */
export class CredentialScanner {
  #kind: BodyKind;
  #isSignIn: boolean;
  /** The released text before the current text, at most `CONTEXT` characters. */
  #context: string;
  /** Where to search for the next announcement, relative to the start of the text. */
  #from = 0;
  /** The number of characters that were released. */
  #released = 0;
  /** If the text begins inside a value, finds the end of that value. */
  #inside: FindEnd | undefined;
  /** Spans that are credentials only if the document turns out to be a sign-in. */
  #open: readonly CredentialSpan[] = [];

  constructor(kind: BodyKind) {
    this.#kind = kind;
    this.#isSignIn = kind === 'sign-in';
    this.#context = kind === 'form' || kind === 'sign-in' ? '&' : '';
  }

  /** Scans a text that begins where the last `release` ended; `rest` says whether more text follows. */
  scan(text: string, rest: Rest): CredentialScan {
    const spans: CredentialSpan[] = [];
    const hold = this.#scan(text, rest, spans);
    const [open] = this.#open;
    if (open && (rest === 'none' || text.length - open.start > LONGEST_DOCUMENT)) this.#open = [];
    return { spans, hold: Math.min(hold, this.#open[0]?.start ?? hold) };
  }

  /** Drops the first `length` characters, except the context that may announce a credential. */
  release(text: string, length: number): void {
    this.#released += length;
    this.#from -= length;
    this.#context = (this.#context + text.slice(Math.max(0, length - CONTEXT), length)).slice(-CONTEXT);
    if (this.#open.length > 0)
      this.#open = this.#open.map(({ start, end }) => ({ start: start - length, end: end - length }));
  }

  #scan(text: string, rest: Rest, spans: CredentialSpan[]): number {
    if (this.#inside) {
      const hold = this.#goOn(text, this.#inside, rest, spans);
      if (hold !== undefined) return hold;
    }
    if (this.#kind === 'unknown') this.#kind = beginsJson(text) ?? 'unknown';
    const before = this.#context.length;
    const all = this.#context + text;
    for (let at = findAnnouncement(all, before + this.#from); at < all.length;) {
      this.#from = at + 1 - before;
      const announced = readAnnounced(all, at, this.#kind === 'form' ? 'form' : 'other');
      const value = announced === 'member' ? this.#readMember(all, at, spans, before) : announced;
      const hold = value && this.#take(all, before, value, rest, spans);
      if (hold !== undefined) {
        // The announcement is read again with the next piece, unless the value is known to continue there.
        if (!this.#inside) this.#from = at - before;
        return hold;
      }
      at = findAnnouncement(all, before + this.#from);
    }
    this.#from = text.length;
    return text.length;
  }

  /** Handles a text that begins inside a value. Returns the offset to hold from if the value continues. */
  #goOn(text: string, findEnd: FindEnd, rest: Rest, spans: CredentialSpan[]): number | undefined {
    const end = findEnd(text, 0, rest);
    const to = end ?? endOfWhole(text);
    if (to > 0) spans.push({ start: 0, end: to });
    this.#from = to;
    if (end === undefined) return to;
    this.#inside = undefined;
    return undefined;
  }

  /** Handles an announced value. Returns the offset to hold from if the end of the value is not known yet. */
  #take(all: string, before: number, value: Value, rest: Rest, spans: CredentialSpan[]): number | undefined {
    const { start, findEnd, judge, longest, isOpen = false } = value;
    const end = findEnd(all, start, rest);
    // A part of it may have been released with an earlier piece, but no more than the prefix of a token.
    const from = Math.max(before, start);
    if (end === undefined && all.length - start <= longest) return from - before;
    const whole = end ?? endOfWhole(all);
    const length = judge(all.slice(start, whole));
    if (length === 0) return undefined;
    const to = (end === undefined ? whole : start + length) - before;
    const span = { start: from - before, end: to };
    if (isOpen) this.#open = [...this.#open, span];
    else spans.push(span);
    this.#from = to;
    if (end !== undefined) return undefined;
    this.#inside = findEnd;
    return to;
  }

  #readMember(all: string, at: number, spans: CredentialSpan[], before: number): Value | undefined {
    const found = findMember(all, at);
    if (!found) return undefined;
    const { name, slashes } = found;
    // Only the beginning of a document is held back.
    const mayBeOpen = this.#kind === 'json' && this.#released + at - before < LONGEST_DOCUMENT;
    if (mayBeOpen && SIGN_IN.has(name)) {
      this.#isSignIn = true;
      spans.push(...this.#open);
      this.#open = [];
    }
    const isMember = isSecretMember(name);
    const isOpen = mayBeOpen && !this.#isSignIn && !isMember;
    if (!isMember && !((this.#isSignIn || isOpen) && isSecretName(name, 'other'))) return undefined;
    return {
      start: at + 1,
      findEnd: (text, from, rest) => endOfText(text, from, rest, slashes),
      judge: lengthOfPlain,
      longest: LONGEST,
      isOpen,
    };
  }
}

/** Whether a text begins like a JSON document; undefined if it is too short to decide. */
function beginsJson(text: string): 'json' | 'any' | undefined {
  const first = /[^\s\ufeff\xef\xbb\xbf]/.exec(text)?.[0];
  return first === undefined ? undefined : first === '{' ? 'json' : 'any';
}
