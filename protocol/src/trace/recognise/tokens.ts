import { readFields } from '../../text/fields.ts';
import { parseJson } from '../../text/json.ts';
import type { KeptHeader } from '../events.ts';
import { findHeader } from '../headers.ts';
import { SHORTEST_TOKEN, decodeUrl } from '../redact.ts';
import { findPushSecrets } from './a2a-secrets.ts';

/** Members of a request or reply of OAuth 2 that are credentials (RFC 6749, RFC 7636, RFC 7591). */
const SECRETS = [
  'access_token',
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'id_token',
  'password',
  'refresh_token',
  'registration_access_token',
  'subject_token',
];

/** The field of a form that asks for a token. */
const GRANT = 'grant_type';

/** A form with that field. */
const ASKS = /(?:^|&)grant_type=/;

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly value: string;
}

/** True for the text of a request for a token: its reply brings credentials. */
export function asksForToken(text: string, headers: readonly KeptHeader[]): boolean {
  return isForm(headers) && ASKS.test(text);
}

/**
 * The credentials in a request for tokens, or in its reply, and those in settings for push notifications of A2A, so that they are
 * not kept; none in any other body.
 */
export function findTokens(text: string, headers: readonly KeptHeader[]): readonly string[] {
  if (asksForToken(text, headers)) return findFormTokens(readForm(text));
  const type = findHeader(headers, 'content-type') ?? '';
  const fields = /json/.test(type) && text.includes('_token"') ? readFields(parseJson(text)) : undefined;
  const found = SECRETS.flatMap(name => {
    const value = fields?.get(name);
    return typeof value === 'string' && isSecret(value) ? [value] : [];
  });
  return [...found, ...findPushSecrets(text)];
}

/** The credentials in the fields of a form that asks for a token, as they stand there and as they are meant; none in any other. */
export function findFormTokens(fields: readonly FormField[]): readonly string[] {
  if (!fields.some(({ name }) => name === GRANT)) return [];
  return fields
    .filter(({ name }) => SECRETS.includes(name))
    .flatMap(({ value }) => [value, decodeUrl(value)])
    .filter(isSecret);
}

function isForm(headers: readonly KeptHeader[]): boolean {
  const type = findHeader(headers, 'content-type') ?? '';
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
