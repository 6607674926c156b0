import { SIGN_IN_MEMBERS } from '../catalog/secret-names.ts';
import { CONTEXT, findAnnouncement, findMember, readAnnounced } from './credential-announcements.ts';
import {
  endOfText,
  endOfWhole,
  lengthOfPlain,
  LONGEST,
  type FindEnd,
  type Rest,
  type SecretSpan,
  type Value,
} from './credential-values.ts';
import { isSecretMember, isSecretName } from './secret-name.ts';

/**
 * The kind of a text, as far as the search for credentials depends on it. In a `form`, fields are separated
 * by `&` only. In a `sign-in` message, more members are credentials. A `json` document may turn out to be a
 * sign-in. `unknown` becomes `json` if the text begins like JSON.
 */
export type BodyKind = 'any' | 'form' | 'json' | 'sign-in' | 'unknown';

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
  /** The end of the text so far: `CONTEXT` characters that may announce a credential, and all from `hold` on. */
  #text: string;
  /** The offset of that end. */
  #base: number;
  /** The offset at which to search for the next announcement; that of what may become a credential. */
  #from = 0;
  #undecided = 0;
  /** If the search is inside a value, finds the end of that value. */
  #inside: FindEnd | undefined;
  /** Credentials only if the document turns out to be a sign-in. */
  #open: SecretSpan[] = [];

  constructor(kind: BodyKind) {
    this.#kind = kind;
    this.#isSignIn = kind === 'sign-in';
    this.#text = kind === 'form' || kind === 'sign-in' ? '&' : '';
    this.#base = -this.#text.length;
  }

  /** The offset from which on the text may belong to a credential. */
  get hold(): number {
    return Math.min(this.#undecided, this.#open[0]?.start ?? Infinity);
  }

  /** Scans the next piece; adds the credentials to `found`. */
  push(piece: string, found: SecretSpan[]): void {
    this.#text += piece;
    this.#scan('more', found);
  }

  /** Ends the text. */
  end(found: SecretSpan[]): void {
    this.#scan('none', found);
  }

  #scan(rest: Rest, found: SecretSpan[]): void {
    const all = this.#text;
    const end = this.#base + all.length;
    this.#undecided = this.#base + this.#findAll(all, rest, found);
    const [open] = this.#open;
    if (open && (rest === 'none' || end - open.start > LONGEST_DOCUMENT)) this.#open = [];
    const cut = Math.max(0, Math.min(this.#undecided, this.#from) - CONTEXT - this.#base);
    this.#text = all.slice(cut);
    this.#base += cut;
  }

  /** Finds the credentials in the text; returns the index of what may become one. */
  #findAll(all: string, rest: Rest, found: SecretSpan[]): number {
    const base = this.#base;
    if (this.#inside) {
      const from = this.#from - base;
      const end = this.#inside(all, from, rest);
      const to = end ?? from + endOfWhole(all.slice(from));
      if (to > from) found.push({ start: this.#from, end: base + to });
      this.#from = base + to;
      if (end === undefined) return to;
      this.#inside = undefined;
    }
    if (this.#kind === 'unknown') this.#kind = beginsJson(all) ?? 'unknown';
    const form = this.#kind === 'form' ? 'form' : 'other';
    for (let at = findAnnouncement(all, this.#from - base); at < all.length;) {
      this.#from = base + at + 1;
      const announced = readAnnounced(all, at, form);
      const value = announced === 'member' ? this.#readMember(all, at, found) : announced;
      const hold = value && this.#take(all, value, rest, found);
      if (hold !== undefined) {
        // The announcement is read again with the next piece, unless the value is known to continue there.
        if (!this.#inside) this.#from = base + at;
        return hold;
      }
      at = findAnnouncement(all, this.#from - base);
    }
    this.#from = base + all.length;
    return all.length;
  }

  /** Handles an announced value. Returns the index to hold from if the end of the value is not known yet. */
  #take(all: string, value: Value, rest: Rest, found: SecretSpan[]): number | undefined {
    const { start, findEnd, judge, longest, isOpen = false } = value;
    const end = findEnd(all, start, rest);
    if (end === undefined && all.length - start <= longest) return start;
    const whole = end ?? endOfWhole(all);
    const length = judge(all.slice(start, whole));
    if (length === 0) return undefined;
    const to = end === undefined ? whole : start + length;
    (isOpen ? this.#open : found).push({ start: this.#base + start, end: this.#base + to });
    this.#from = this.#base + to;
    if (end !== undefined) return undefined;
    this.#inside = findEnd;
    return to;
  }

  #readMember(all: string, at: number, found: SecretSpan[]): Value | undefined {
    const member = findMember(all, at);
    if (!member) return undefined;
    const { name, slashes } = member;
    // Only the beginning of a document is held back.
    const mayBeOpen = this.#kind === 'json' && this.#base + at < LONGEST_DOCUMENT;
    if (mayBeOpen && SIGN_IN.has(name)) {
      this.#isSignIn = true;
      found.push(...this.#open);
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
