import { encodeField } from '../aicf/codec.ts';
import { encodeJsonPart } from '../aicf/json-field.ts';
import { escapeText } from '../aicl/escapes.ts';
import { encodeBase64 } from '../text/base64.ts';
import { encodeUtf8 } from './bytes.ts';
import type { KeptHeader, Redaction } from './events.ts';

/** What stands in the place of a secret wherever a trace is stored or shown. */
export const REDACTED = '[redacted]';

/**
 * The fewest characters of what may be a token and may be an everyday word as well, such as a value of the environment:
 * a shorter one, such as a port or `dev`, is none, and replacing it wherever it occurs would make holes in every text.
 */
export const SHORTEST_TOKEN = 4;

/** Headers whose values are credentials whatever they hold. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-aip-api-key',
  'api-key',
]);

/** Query parameters whose values are credentials. */
const SECRET_QUERY = /([?&](?:key|token|api_key|access_token)=)([^&#\s]+)/gi;

/** The password, and the name before it, that an address carries before its host. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i;

/** Replaces the credentials that an address carries: its user info and the query values that name a key or token. */
export function redactUrl(url: string): string {
  return url.replace(USER_INFO, `$1${REDACTED}@`).replace(SECRET_QUERY, `$1${REDACTED}`);
}

/**
 * The same for the request line of a head, `POST http://…`, where the address follows the method;
 * any other line is kept.
 */
export function redactRequestLine(line: string): string {
  const space = line.indexOf(' ');
  return space === -1 ? line : `${line.slice(0, space + 1)}${redactUrl(line.slice(space + 1))}`;
}

/** True for a header whose value is a credential by its name. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.has(name.toLowerCase());
}

/**
 * The credentials of an agent's address and headers, as they are: query values and header values that `redactUrl` and
 * `redactHeaders` would replace, so that they are found where an agent repeats them, too.
 */
export function findCredentials(url: string, headers: ReadonlyMap<string, string>): readonly string[] {
  const found: string[] = [];
  for (const match of url.matchAll(SECRET_QUERY)) found.push(match[2] ?? '', decodeUrl(match[2] ?? ''));
  const [, user = '', password = ''] = /^[^/]*\/\/([^/?#:]*):?([^/?#]*)@/.exec(url) ?? [];
  // A token often stands alone, `https://TOKEN@host`; a user name before a password is none.
  const secret = password || (user.length < SHORTEST_TOKEN ? '' : user);
  found.push(secret, decodeUrl(secret));
  for (const [name, value] of headers) {
    // `Bearer abc`: the scheme is no secret, and an agent may repeat the token without it.
    if (isSecretHeader(name)) found.push(value, value.replace(/^[A-Za-z]+ +/, ''));
  }
  return found.filter(value => value !== '');
}

/** A percent-encoded text, or the text itself where it is not one. */
function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Knows a set of secrets in every form in which they may travel, and replaces them. */
export class Redactor {
  readonly #secrets: readonly string[];
  readonly #headers: ReadonlySet<string>;
  readonly #textForms: readonly string[];

  /**
   * `secrets` are values of secret variables, as they are; empty ones are passed over. `headers` names the headers
   * whose values came from such a variable, in any case.
   */
  constructor(secrets: readonly string[], headers: readonly string[] = []) {
    this.#secrets = [...new Set(secrets)].filter(secret => secret !== '');
    this.#headers = new Set(headers.map(name => name.toLowerCase()));
    this.#textForms = [...new Set(this.#secrets.flatMap(listForms))];
  }

  /** The same with more secrets, for what one request alone carries. */
  with(secrets: readonly string[]): Redactor {
    return secrets.length === 0 ? this : new Redactor([...this.#secrets, ...secrets], [...this.#headers]);
  }

  /** True where there is nothing to look for. */
  get isEmpty(): boolean {
    return this.#textForms.length === 0;
  }

  /** A whole text with its secrets replaced. */
  redactText(text: string): string {
    const stream = this.openText();
    return stream.push(text).text + stream.end().text;
  }

  /** The beginning of a text, of at most `length` characters, with its secrets replaced, also one that the cut splits. */
  redactStart(text: string, length: number): string {
    if (text.length <= length) return this.redactText(text);
    const start = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
    return this.openText().push(start).text;
  }

  /** Headers with credentials replaced whole and other secrets in place. */
  redactHeaders(headers: readonly KeptHeader[]): readonly KeptHeader[] {
    return headers.map(header => this.#redactHeader(header));
  }

  #redactHeader(header: KeptHeader): KeptHeader {
    if (header.redacted !== undefined) return header;
    if (isSecretHeader(header.name) || this.#headers.has(header.name.toLowerCase())) {
      return { name: header.name, value: REDACTED, redacted: header.value.length };
    }
    const value = this.redactText(redactUrl(header.value));
    return value === header.value ? header : { name: header.name, value, redacted: header.value.length };
  }

  /** Opens a stream of text; a secret that is split over two pieces is found. */
  openText(): SecretStream {
    return new SecretStream(this.#textForms);
  }

  /** Opens a stream of bytes, given and answered as texts of one character (0 to 255) a byte. */
  openBytes(): SecretStream {
    return new SecretStream(this.#textForms.map(form => String.fromCharCode(...encodeUtf8(form))));
  }
}

/** A piece of a stream with its secrets replaced; `redacted` counts in the units of that stream. */
export interface RedactedPiece {
  readonly text: string;
  readonly redacted: readonly Redaction[];
}

/**
 * Replaces secrets in a stream that comes piece by piece. An end of a piece that may begin a secret is held back
 * until the next piece tells, so what is let through never holds a part of one.
 */
export class SecretStream {
  readonly #forms: readonly string[];
  readonly #pattern: RegExp | undefined;
  readonly #longest: number;
  /** The characters that a form begins with. */
  readonly #starts: ReadonlySet<number>;
  #held = '';

  constructor(forms: readonly string[]) {
    // The longest form comes first, so that a secret that begins with another is replaced whole.
    this.#forms = [...forms].sort((a, b) => b.length - a.length);
    this.#longest = this.#forms[0]?.length ?? 0;
    this.#starts = new Set(this.#forms.map(form => form.charCodeAt(0)));
    this.#pattern =
      this.#forms.length > 0 ? new RegExp(this.#forms.map(escapePattern).join('|'), 'g') : undefined;
  }

  /** What can be let through after this piece. */
  push(piece: string): RedactedPiece {
    if (!this.#pattern) return { text: piece, redacted: [] };
    const text = this.#held + piece;
    return this.#replace(text, this.#findHold(text, 0));
  }

  /** What was held back, when the stream has ended. */
  end(): RedactedPiece {
    return this.#replace(this.#held, this.#held.length);
  }

  #replace(text: string, holdAt: number): RedactedPiece {
    if (!this.#pattern) return { text, redacted: [] };
    const parts: string[] = [];
    const redacted: Redaction[] = [];
    let length = 0;
    let from = 0;
    let hold = holdAt;
    for (const match of text.matchAll(this.#pattern)) {
      if (match.index >= hold) break;
      const before = text.slice(from, match.index);
      redacted.push({ at: length + before.length, length: match[0].length });
      parts.push(before, REDACTED);
      length += before.length + REDACTED.length;
      from = match.index + match[0].length;
      if (from > hold) hold = this.#findHold(text, from);
    }
    parts.push(text.slice(from, hold));
    this.#held = text.slice(hold);
    return { text: parts.join(''), redacted };
  }

  /** The first place, not before `from`, from which the rest of the text may be the beginning of a secret. */
  #findHold(text: string, from: number): number {
    for (let at = Math.max(from, text.length - this.#longest + 1); at < text.length; at++) {
      if (!this.#starts.has(text.charCodeAt(at))) continue;
      const rest = text.slice(at);
      if (this.#forms.some(form => form.length > rest.length && form.startsWith(rest))) return at;
    }
    return text.length;
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * A secret as it may travel: as it is, inside JSON, inside an AICF field and JSON in one, in a text of AICL, in a URL, in
 * base64 at any alignment.
 */
function listForms(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const url = encodeUrl(secret);
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'),
    json.replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    encodeField(secret),
    encodeField(json),
    encodeJsonPart(secret),
    // What follows decides whether backslashes at its end are doubled.
    escapeText(secret),
    escapeText(`${secret} `).slice(0, -1),
    url,
    url.replaceAll('%20', '+'),
    ...listBase64Forms(secret),
  ];
}

/** Percent-encoding (RFC 3986): unlike `encodeURIComponent` it takes any string. */
function encodeUrl(text: string): string {
  return [...encodeUtf8(text)]
    .map(byte => {
      const character = String.fromCharCode(byte);
      return /[\w.~!*'()-]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/**
 * Base64 of a secret that stands in a longer text, such as `name:secret` of basic authentication: its place modulo
 * three decides the digits, and those that share bits with its neighbours are left out.
 */
function listBase64Forms(secret: string): readonly string[] {
  const bytes = encodeUtf8(secret);
  const forms = [0, 1, 2].map(before => {
    const padded = new Uint8Array(before + bytes.length);
    padded.set(bytes, before);
    const bits = padded.length * 8;
    return encodeBase64(padded).slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
  });
  const long = [encodeBase64(bytes), ...forms.filter(form => form.length >= 6)];
  return long.flatMap(form => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}
