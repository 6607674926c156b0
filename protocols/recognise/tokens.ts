import { SIGN_IN_MEMBERS } from '../../core/catalog/secret-names.ts';
import { readFields, type Fields } from '../../core/text/fields.ts';
import { parseJson } from '../../core/text/json.ts';
import type { StoredHeader } from '../../core/events/events.ts';
import { findHeader } from '../../core/events/headers.ts';
import { decodeUrl } from '../../core/text/decode-url.ts';
import { SHORTEST_TOKEN } from '../../core/secrets/redact.ts';
import { isSecretName } from '../../core/secrets/secret-name.ts';
import type { Protocols } from '../protocol.ts';

/** The form field of a token request. */
export const GRANT = 'grant_type';

/** Matches a form with that field. */
const ASKS = /(?:^|&)grant_type=/;

/** Matches a text that may have a member of a sign-in; others are not parsed. */
const SIGN_IN = new RegExp(`"(?:${SIGN_IN_MEMBERS.join('|')})"`);

export interface FormField {
  readonly name: string;
  readonly value: string;
}

/** True for a token request, whose reply has credentials. */
export function asksForToken(text: string, headers: readonly StoredHeader[]): boolean {
  return asksByForm(text, headers) || readSignIn(text) !== undefined;
}

function asksByForm(text: string, headers: readonly StoredHeader[]): boolean {
  return isForm(headers) && ASKS.test(text);
}

/** The members of a sign-in message; undefined for any other text. */
function readSignIn(text: string): Fields | undefined {
  const fields = SIGN_IN.test(text) ? readFields(parseJson(text)) : undefined;
  return fields && SIGN_IN_MEMBERS.some(name => fields.has(name)) ? fields : undefined;
}

/**
 * The credentials in a token request or its reply, and those that a protocol finds in its messages, so that
 * they are not stored; none in any other body.
 */
export function findTokens(
  text: string,
  headers: readonly StoredHeader[],
  protocols: Protocols,
): readonly string[] {
  if (asksByForm(text, headers)) return findFormTokens(readForm(text));
  const found = [...(readSignIn(text) ?? [])].flatMap(([name, value]) =>
    typeof value === 'string' && isSecret(value) && isSecretName(name, 'other') ? [value] : [],
  );
  return [...found, ...protocols.list.flatMap(({ requests }) => requests.findSecrets?.(text) ?? [])];
}

/** Matches the path of a URL. */
const PATH = /^https?:\/\/[^/?#]+([^?#]*)/;

/** The paths of the sign-in endpoints in authorization server metadata (RFC 8414); none for any other text. */
export function findSignInPaths(text: string): readonly string[] {
  if (!text.includes('_endpoint"')) return [];
  const fields = readFields(parseJson(text));
  return [...(fields?.has('issuer') ? fields : [])].flatMap(([name, value]) => {
    const path = name.endsWith('_endpoint') && typeof value === 'string' ? PATH.exec(value)?.[1] : undefined;
    return path === undefined || path === '' ? [] : [path];
  });
}

/** The credentials in the fields of a token request, raw and decoded; none in any other form. */
export function findFormTokens(fields: readonly FormField[]): readonly string[] {
  if (!fields.some(({ name }) => name === GRANT)) return [];
  return fields
    .filter(({ name }) => isSecretName(name, 'other'))
    .flatMap(({ value }) => [value, decodeUrl(value)])
    .filter(isSecret);
}

function isForm(headers: readonly StoredHeader[]): boolean {
  const type = findHeader(headers, 'content-type')?.toLowerCase() ?? '';
  return type.startsWith('application/x-www-form-urlencoded');
}

/** The fields of a form, with raw values. */
function readForm(text: string): readonly FormField[] {
  return text.split('&').map(field => {
    const [name = '', ...rest] = field.split('=');
    return { name: decodeUrl(name), value: rest.join('=') };
  });
}

/** False for a value too short to be a secret: replacing it would redact unrelated text. */
function isSecret(value: string): boolean {
  return value.length >= SHORTEST_TOKEN;
}
