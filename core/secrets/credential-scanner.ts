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
 * What a text is, as far as its credentials depend on it: in a form all between `&` is a field, a message of a sign-in holds more
 * credentials than others, and a document of JSON may turn out to be one. `unknown` is a document of JSON where it begins like one.
 */
export type BodyKind = 'any' | 'form' | 'json' | 'sign-in' | 'unknown';

/** Where a credential is in a text. */
export interface CredentialSpan {
  readonly start: number;
  readonly end: number;
}

/** What is known of a text after another piece: the credentials in it, and from where on it waits for more. */
export interface CredentialScan {
  readonly spans: readonly CredentialSpan[];
  readonly hold: number;
}

/** A document of JSON is held back no longer than this to see whether it is of a sign-in. */
const LONGEST_DOCUMENT = 64 * 1024;

const SIGN_IN: ReadonlySet<string> = new Set(SIGN_IN_MEMBERS);

/**
 * Finds the credentials of a text that comes piece by piece by what stands before them: names of parameters and of members of
 * JSON, the user info of addresses, `Bearer` and `Basic`, prefixes of the tokens of services, JWT. Linear: what is looked at again
 * with the next piece is bounded.
 */
export class CredentialScanner {
  #kind: BodyKind;
  #isSignIn: boolean;
  /** What came before the text. */
  #context: string;
  /** Where the next announcement may end, from the start of the text. */
  #from = 0;
  /** How much of the text was let through. */
  #released = 0;
  /** The end of the value that the text begins in. */
  #inside: FindEnd | undefined;
  /** Credentials if the document is of a sign-in. */
  #open: readonly CredentialSpan[] = [];

  constructor(kind: BodyKind) {
    this.#kind = kind;
    this.#isSignIn = kind === 'sign-in';
    this.#context = kind === 'form' || kind === 'sign-in' ? '&' : '';
  }

  /** Looks at a text that begins where the last call of `release` ended it; `rest` says whether something follows. */
  scan(text: string, rest: Rest): CredentialScan {
    const spans: CredentialSpan[] = [];
    const hold = this.#scan(text, rest, spans);
    const [open] = this.#open;
    if (open && (rest === 'none' || text.length - open.start > LONGEST_DOCUMENT)) this.#open = [];
    return { spans, hold: Math.min(hold, this.#open[0]?.start ?? hold) };
  }

  /** Forgets the beginning of the text, but for what a credential may follow. */
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
        // What announces it is looked at again with the next piece, unless the value is known to go on in that.
        if (!this.#inside) this.#from = at - before;
        return hold;
      }
      at = findAnnouncement(all, before + this.#from);
    }
    this.#from = text.length;
    return text.length;
  }

  /** The text begins in a value. Answers where to hold it where the value goes on. */
  #goOn(text: string, findEnd: FindEnd, rest: Rest, spans: CredentialSpan[]): number | undefined {
    const end = findEnd(text, 0, rest);
    const to = end ?? endOfWhole(text);
    if (to > 0) spans.push({ start: 0, end: to });
    this.#from = to;
    if (end === undefined) return to;
    this.#inside = undefined;
    return undefined;
  }

  /** Takes a value that was announced. Answers where to hold the text where the value has no end yet. */
  #take(all: string, before: number, value: Value, rest: Rest, spans: CredentialSpan[]): number | undefined {
    const { start, findEnd, judge, longest, isOpen = false } = value;
    const end = findEnd(all, start, rest);
    // What of it came with an earlier piece was let through: no more than the prefix of a token.
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

/** Whether a text is a document of JSON by its beginning; undefined where more of it decides. */
function beginsJson(text: string): 'json' | 'any' | undefined {
  const first = /[^\s\ufeff\xef\xbb\xbf]/.exec(text)?.[0];
  return first === undefined ? undefined : first === '{' ? 'json' : 'any';
}
