import { decodeUrl } from '../text/decode-url.ts';
import type { BodyKind } from './credential-scanner.ts';
import type { StoredHeader } from '../events/events.ts';
import { uniqueSecrets, valueOfSecret, type Secret } from '../text/secret.ts';
import { startOf } from '../text/utf8.ts';
import { listPatterns } from './redact-patterns.ts';
import type { StreamUnits } from './redact-spellings.ts';
import { SecretAutomaton } from './redact-automaton.ts';
import { REDACTED, SecretStream } from './redact-stream.ts';
import { isSecretName } from './secret-name.ts';
import { SecretSearch } from './secret-search.ts';
import { SplitSecrets } from './split-secrets.ts';

/**
 * The minimum length of a possible token that may also be an everyday word,
 * such as the value of an environment variable. Shorter values, such as a port
 * or `dev`, are not treated as secrets: replacing them would damage every text.
 */
export const SHORTEST_TOKEN = 4;

/** A URL parameter with a value. */
const PARAMETER = /([?&#;])([^=?&#;\s]+)=([^&#\s]+)/g;

/** The user name and password in a URL. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i;

/**
 * Replaces the credentials in a URL: its user info, the values of parameters with secret names, and tokens
 * that are recognised by their form.
 */
export function redactUrl(url: string): string {
  const shown = url
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(PARAMETER, (whole, mark: string, name: string) =>
      isSecretName(decodeUrl(name), 'other') ? `${mark}${name}=${REDACTED}` : whole,
    );
  return NO_SECRETS.redactText(shown);
}

/** The same for a request line, `POST http://…`, in which the URL follows the method; other lines are not changed. */
export function redactRequestLine(line: string): string {
  const space = line.indexOf(' ');
  return space === -1 ? line : `${line.slice(0, space + 1)}${redactUrl(line.slice(space + 1))}`;
}

/** True if a header's name says that its value is a credential. */
export function isSecretHeader(name: string): boolean {
  return isSecretName(name, 'header');
}

/**
 * The credentials in an agent's URL and headers, unredacted: the values that `redactUrl` and `redactHeaders`
 * would replace. They are redacted where the agent repeats them.
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
  // A token may be the only user info, `https://TOKEN@host`; a user name before a password is not secret.
  const secret = password || (user.length < SHORTEST_TOKEN ? '' : user);
  found.push(secret, decodeUrl(secret));
  for (const [name, value] of headers) {
    // `Bearer abc`: the scheme is not secret, and the agent may repeat the token without it.
    const token = value.replace(/^[A-Za-z]+ +/, '');
    if (isSecretHeader(name)) found.push(value, token, asUtf8(token));
  }
  // A local server is often given `Bearer x`: to replace each x would make every reply unreadable.
  return found.filter(value => value.length > 1 && !EVERYDAY.test(value));
}

/** A header's value as a body repeats it: many clients send UTF-8, of which each byte was read as a character. */
function asUtf8(value: string): string {
  if (!/[\x80-\xff]/.test(value) || /[^\0-\xff]/.test(value)) return '';
  return decodeUrl(value.replace(/[%+\x80-\xff]/g, unit => `%${unit.charCodeAt(0).toString(16)}`));
}

/** The value after a scheme in a header, unless it is a challenge parameter. */
const AFTER_SCHEME = /^((?:Bearer|Basic) +)(?![\w-]{1,40} *= *[^=\s])\S.*$/i;

/** A secret, and its form with line feeds instead of carriage returns, as AICF sends it. */
function withLineFeeds(secret: Secret): readonly Secret[] {
  const value = valueOfSecret(secret);
  if (!value.includes('\r')) return [secret];
  const sent = value.replace(/\r\n?/g, '\n');
  return [secret, typeof secret === 'string' ? sent : { ...secret, value: sent }];
}

/** Values that occur in any text: they are replaced only where their name is secret. */
const EVERYDAY = /^(?:true|false|null|none|yes|no|on|off|\d{1,5})$/i;

/** The number of characters that are redacted in one slice: a few milliseconds of work. */
const REDACTED_AT_ONCE = 1 << 18;

/** Replaces a set of secrets in every encoding in which they may occur. */
export class Redactor {
  readonly #secrets: readonly Secret[];
  readonly #headers: ReadonlySet<string>;
  readonly #automata = new Map<StreamUnits, SecretAutomaton>();

  /**
   * `secrets` are the values of secret variables; empty ones are ignored. `headers` are the names, in any
   * case, of the headers whose values came from such a variable.
   */
  constructor(secrets: readonly Secret[], headers: readonly string[] = []) {
    this.#secrets = uniqueSecrets(secrets.flatMap(withLineFeeds));
    this.#headers = new Set(headers.map(name => name.toLowerCase()));
  }

  /** A redactor with additional secrets, for those that only one request carries. */
  with(secrets: readonly Secret[]): Redactor {
    return secrets.length === 0 ? this : new Redactor([...this.#secrets, ...secrets], [...this.#headers]);
  }

  /** True if no secret values are known; credentials that are recognised by name or form are still replaced. */
  get isEmpty(): boolean {
    return this.#secrets.length === 0;
  }

  /** A complete text with its secrets replaced. */
  redactText(text: string, kind: BodyKind = 'any'): string {
    const stream = this.openText(kind);
    return stream.push(text).text + stream.end().text;
  }

  /** Like `redactText` in slices, for texts of megabytes. */
  *redactSteps(text: string): Generator<undefined, string> {
    if (text.length <= REDACTED_AT_ONCE) return this.redactText(text);
    const stream = this.openText();
    const parts: string[] = [];
    for (let at = 0; at < text.length; at += REDACTED_AT_ONCE) {
      parts.push(stream.push(text.slice(at, at + REDACTED_AT_ONCE)).text);
      yield;
    }
    return parts.join('') + stream.end().text;
  }

  /** The first `length` characters of a text with their secrets replaced, including one that is cut at the end. */
  redactStart(text: string, length: number): string {
    if (text.length <= length) return this.redactText(text);
    return this.openText().push(startOf(text, length)).text;
  }

  /** Headers with the values of credential headers replaced entirely, and other secrets replaced in place. */
  redactHeaders(headers: readonly StoredHeader[]): readonly StoredHeader[] {
    return headers.map(header => this.#redactHeader(header));
  }

  #redactHeader(header: StoredHeader): StoredHeader {
    if (header.redacted !== undefined) return header;
    if (isSecretHeader(header.name) || this.#headers.has(header.name.toLowerCase())) {
      return { name: header.name, value: REDACTED, redacted: header.value.length };
    }
    const value = this.redactText(redactUrl(header.value.replace(AFTER_SCHEME, `$1${REDACTED}`)));
    return value === header.value ? header : { name: header.name, value, redacted: header.value.length };
  }

  /** Opens a stream of text; secrets that are split over two pieces are found. */
  openText(kind: BodyKind = 'any'): SecretStream {
    return new SecretStream(this.#search('text', kind));
  }

  /**
   * Opens a stream of the bytes of messages, where input and output are texts with one character (0 to 255) for each
   * byte. Secrets that the messages have in pieces are found.
   */
  openBytes(kind: BodyKind = 'any'): SecretStream {
    return this.#openMessages('bytes', kind);
  }

  /** Like `redactText` for a body, whose messages may have a secret in pieces. */
  redactBody(text: string, kind: BodyKind): string {
    const stream = this.#openMessages('text', kind);
    return stream.push(text).text + stream.end().text;
  }

  #openMessages(units: StreamUnits, kind: BodyKind): SecretStream {
    return new SecretStream(this.#search(units, kind), new SplitSecrets(() => this.#search(units, 'any')));
  }

  #search(units: StreamUnits, kind: BodyKind): SecretSearch {
    return new SecretSearch(() => this.#findAutomaton(units), kind);
  }

  #findAutomaton(units: StreamUnits): SecretAutomaton {
    const automaton = this.#automata.get(units) ?? new SecretAutomaton(listPatterns(this.#secrets, units));
    this.#automata.set(units, automaton);
    return automaton;
  }
}

/** A redactor without secret values; it finds credentials by name and form. */
export const NO_SECRETS = new Redactor([]);
