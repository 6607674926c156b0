import { SIGN_IN_MEMBERS } from '../../core/catalog/secret-names.ts';
import { readFields, type Fields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { findHeader } from '../../core/events/headers.ts';
import { decodeUrl } from '../../core/text/decode-url.ts';
import { SHORTEST_TOKEN } from '../../core/secrets/redact.ts';
import { isSecretName } from '../../core/secrets/secret-name.ts';
import type { Protocols } from '../protocol.ts';

/** The field of a form that asks for a token. */
export const GRANT = 'grant_type';

/** A form with that field. */
const ASKS = /(?:^|&)grant_type=/;

/** A text that may hold a member of a sign-in: it is read for that. */
const SIGN_IN = new RegExp(`"(?:${SIGN_IN_MEMBERS.join('|')})"`);

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly value: string;
}

/** True for the text of a request of a sign-in: its reply brings credentials. */
export function asksForToken(text: string, headers: readonly KeptHeader[]): boolean {
  return asksByForm(text, headers) || readSignIn(text) !== undefined;
}

function asksByForm(text: string, headers: readonly KeptHeader[]): boolean {
  return isForm(headers) && ASKS.test(text);
}

/** The members of a message of a sign-in; undefined for any other text. */
function readSignIn(text: string): Fields | undefined {
  const fields = SIGN_IN.test(text) ? readFields(parseJson(text)) : undefined;
  return fields && SIGN_IN_MEMBERS.some(name => fields.has(name)) ? fields : undefined;
}

/**
 * The credentials in a request for tokens or in its reply, and those that a protocol knows in its messages, so that they are
 * not stored; none in any other body.
 */
export function findTokens(
  text: string,
  headers: readonly KeptHeader[],
  protocols: Protocols,
): readonly string[] {
  if (asksByForm(text, headers)) return findFormTokens(readForm(text));
  const found = [...(readSignIn(text) ?? [])].flatMap(([name, value]) =>
    typeof value === 'string' && isSecret(value) && isSecretName(name, 'other') ? [value] : [],
  );
  return [...found, ...protocols.list.flatMap(({ requests }) => requests.findSecrets?.(text) ?? [])];
}

/** The path of an address. */
const PATH = /^https?:\/\/[^/?#]+([^?#]*)/;

/** The paths of the addresses at which clients sign in, where a text is metadata that names them (RFC 8414). */
export function findSignInPaths(text: string): readonly string[] {
  if (!text.includes('_endpoint"')) return [];
  const fields = readFields(parseJson(text));
  return [...(fields?.has('issuer') ? fields : [])].flatMap(([name, value]) => {
    const path = name.endsWith('_endpoint') && typeof value === 'string' ? PATH.exec(value)?.[1] : undefined;
    return path === undefined || path === '' ? [] : [path];
  });
}

/** The credentials in the fields of a form that asks for a token, as they stand there and as they are meant; none in any other. */
export function findFormTokens(fields: readonly FormField[]): readonly string[] {
  if (!fields.some(({ name }) => name === GRANT)) return [];
  return fields
    .filter(({ name }) => isSecretName(name, 'other'))
    .flatMap(({ value }) => [value, decodeUrl(value)])
    .filter(isSecret);
}

function isForm(headers: readonly KeptHeader[]): boolean {
  const type = findHeader(headers, 'content-type')?.toLowerCase() ?? '';
  return type.startsWith('application/x-www-form-urlencoded');
}

/** The fields of a form, their values as they stand there. */
function readForm(text: string): readonly FormField[] {
  return text.split('&').map(field => {
    const [name = '', ...rest] = field.split('=');
    return { name: decodeUrl(name), value: rest.join('=') };
  });
}

/** What is too short is none: to look for it would make holes in every text. */
function isSecret(value: string): boolean {
  return value.length >= SHORTEST_TOKEN;
}
