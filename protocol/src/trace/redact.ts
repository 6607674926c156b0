import type { KeptHeader } from './events.ts';
import { uniqueSecrets, type Secret } from '../text/secret.ts';
import { startOf } from '../text/utf8.ts';
import { listPatterns } from './redact-patterns.ts';
import type { StreamUnits } from './redact-spellings.ts';
import { PatternSet, REDACTED, SecretStream } from './redact-stream.ts';

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
  // By which an agent of A2A shows that a push notification is its own.
  'x-a2a-notification-token',
]);

/** Query parameters whose values are credentials. */
const SECRET_QUERY = /([?&](?:key|token|api_key|access_token)=)([^&#\s]+)/gi;

/** The password, and the name before it, that an address carries before its host. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i;

/** Replaces the credentials that an address carries: its user info and the query values that name a key or token. */
export function redactUrl(url: string): string {
  // Most texts that are looked at have neither.
  if (!url.includes('@') && !url.includes('=')) return url;
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
export function findCredentials(
  url: string,
  headers: Iterable<readonly [name: string, value: string]>,
): readonly string[] {
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
export function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Knows a set of secrets in every form in which they may travel, and replaces them. */
export class Redactor {
  readonly #secrets: readonly Secret[];
  readonly #headers: ReadonlySet<string>;
  readonly #sets = new Map<StreamUnits, PatternSet>();

  /**
   * `secrets` are values of secret variables, as they are; empty ones are passed over. `headers` names the headers
   * whose values came from such a variable, in any case.
   */
  constructor(secrets: readonly Secret[], headers: readonly string[] = []) {
    this.#secrets = uniqueSecrets(secrets);
    this.#headers = new Set(headers.map(name => name.toLowerCase()));
  }

  /** The same with more secrets, for what one request alone carries. */
  with(secrets: readonly Secret[]): Redactor {
    return secrets.length === 0 ? this : new Redactor([...this.#secrets, ...secrets], [...this.#headers]);
  }

  /** True where there is nothing to look for. */
  get isEmpty(): boolean {
    return this.#secrets.length === 0;
  }

  /** A whole text with its secrets replaced. */
  redactText(text: string): string {
    if (!this.#findSet('text').mayOccurIn(text)) return text;
    const stream = this.openText();
    return stream.push(text).text + stream.end().text;
  }

  /** The beginning of a text, of at most `length` characters, with its secrets replaced, also one that the cut splits. */
  redactStart(text: string, length: number): string {
    if (text.length <= length) return this.redactText(text);
    return this.openText().push(startOf(text, length)).text;
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
    return new SecretStream(() => this.#findSet('text'));
  }

  /** Opens a stream of bytes, given and answered as texts of one character (0 to 255) a byte. */
  openBytes(): SecretStream {
    return new SecretStream(() => this.#findSet('bytes'));
  }

  #findSet(units: StreamUnits): PatternSet {
    const set = this.#sets.get(units) ?? new PatternSet(listPatterns(this.#secrets, units));
    this.#sets.set(units, set);
    return set;
  }
}
