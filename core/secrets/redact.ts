import { decodeUrl } from '../text/decode-url.ts';
import { mayHoldCredentials } from './credential-announcements.ts';
import type { BodyKind } from './credential-scanner.ts';
import type { KeptHeader } from '../events/events.ts';
import { uniqueSecrets, valueOfSecret, type Secret } from '../text/secret.ts';
import { startOf } from '../text/utf8.ts';
import { listPatterns } from './redact-patterns.ts';
import type { StreamUnits } from './redact-spellings.ts';
import { PatternSet, REDACTED, SecretStream } from './redact-stream.ts';
import { isSecretName } from './secret-name.ts';

/**
 * The fewest characters of what may be a token and may be an everyday word as well, such as a value of the environment:
 * a shorter one, such as a port or `dev`, is none, and replacing it wherever it occurs would make holes in every text.
 */
export const SHORTEST_TOKEN = 4;

/** A parameter of an address that has a value. */
const PARAMETER = /([?&#;])([^=?&#;\s]+)=([^&#\s]+)/g;

/** The password, and the name before it, that an address carries before its host. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i;

/**
 * Replaces the credentials that an address carries: its user info, the values of parameters with secret names, and what is a
 * token by its form.
 */
export function redactUrl(url: string): string {
  const shown = url
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(PARAMETER, (whole, mark: string, name: string) =>
      isSecretName(decodeUrl(name), 'other') ? `${mark}${name}=${REDACTED}` : whole,
    );
  return NO_SECRETS.redactText(shown);
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
  return isSecretName(name, 'header');
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
  for (const [, , name = '', value = ''] of url.matchAll(PARAMETER))
    if (value.length >= SHORTEST_TOKEN && isSecretName(decodeUrl(name), 'other'))
      found.push(value, decodeUrl(value));
  const [, userInfo = ''] = /^[^/]*\/\/([^/?#]*)@/.exec(url) ?? [];
  const [, user = '', password = ''] = /^([^:]*):?(.*)/s.exec(userInfo) ?? [];
  // A token often stands alone, `https://TOKEN@host`; a user name before a password is none.
  const secret = password || (user.length < SHORTEST_TOKEN ? '' : user);
  found.push(secret, decodeUrl(secret));
  for (const [name, value] of headers) {
    // `Bearer abc`: the scheme is no secret, and an agent may repeat the token without it.
    if (isSecretHeader(name)) found.push(value, value.replace(/^[A-Za-z]+ +/, ''));
  }
  return found.filter(value => value !== '' && !EVERYDAY.test(value));
}

/** What follows a scheme in a header, but for the parameters of a challenge. */
const AFTER_SCHEME = /^((?:Bearer|Basic) +)(?![\w-]{1,40} *= *[^=\s])\S.*$/i;

/** A secret, and what it is where its carriage returns were sent as line feeds, as in AICF. */
function withLineFeeds(secret: Secret): readonly Secret[] {
  const value = valueOfSecret(secret);
  if (!value.includes('\r')) return [secret];
  const sent = value.replace(/\r\n?/g, '\n');
  return [secret, typeof secret === 'string' ? sent : { ...secret, value: sent }];
}

/** Values that stand in any text: they are replaced where their name says so, and nowhere else. */
const EVERYDAY = /^(?:true|false|null|none|yes|no|on|off|\d{1,5})$/i;

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
    this.#secrets = uniqueSecrets(secrets.flatMap(withLineFeeds));
    this.#headers = new Set(headers.map(name => name.toLowerCase()));
  }

  /** The same with more secrets, for what one request alone carries. */
  with(secrets: readonly Secret[]): Redactor {
    return secrets.length === 0 ? this : new Redactor([...this.#secrets, ...secrets], [...this.#headers]);
  }

  /** True where no secret is known; credentials that show themselves are found all the same. */
  get isEmpty(): boolean {
    return this.#secrets.length === 0;
  }

  /** A whole text with its secrets replaced. */
  redactText(text: string, kind: BodyKind = 'any'): string {
    const mayHold = kind === 'form' || mayHoldCredentials(text) || this.#findSet('text').mayOccurIn(text);
    if (!mayHold) return text;
    const stream = this.openText(kind);
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
    const value = this.redactText(redactUrl(header.value.replace(AFTER_SCHEME, `$1${REDACTED}`)));
    return value === header.value ? header : { name: header.name, value, redacted: header.value.length };
  }

  /** Opens a stream of text; a secret that is split over two pieces is found. */
  openText(kind: BodyKind = 'any'): SecretStream {
    return new SecretStream(() => this.#findSet('text'), kind);
  }

  /** Opens a stream of bytes, given and answered as texts of one character (0 to 255) a byte. */
  openBytes(kind: BodyKind = 'any'): SecretStream {
    return new SecretStream(() => this.#findSet('bytes'), kind);
  }

  #findSet(units: StreamUnits): PatternSet {
    const set = this.#sets.get(units) ?? new PatternSet(listPatterns(this.#secrets, units));
    this.#sets.set(units, set);
    return set;
  }
}

/** Knows no secret values; finds credentials by the names before them. */
export const NO_SECRETS = new Redactor([]);
