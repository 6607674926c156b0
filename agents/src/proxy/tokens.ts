import { readFields } from '../../../protocol/src/text/fields.ts';
import { parseJson } from '../../../protocol/src/text/json.ts';
import type { KeptHeader } from '../../../protocol/src/trace/events.ts';
import { findPushSecrets } from '../../../protocol/src/trace/recognise/a2a-secrets.ts';
import { SHORTEST_TOKEN } from '../../../protocol/src/trace/redact.ts';
import { findHeader } from '../../../protocol/src/trace/recognise/names.ts';

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

/** A form that asks for a token has it. */
const ASKS = /(?:^|&)grant_type=/;

/** True for the text of a request for a token: its reply brings credentials. */
export function asksForToken(text: string, headers: readonly KeptHeader[]): boolean {
  const type = findHeader(headers, 'content-type') ?? '';
  return type.startsWith('application/x-www-form-urlencoded') && ASKS.test(text);
}

/**
 * The credentials in a request for tokens, or in its reply, and those in settings for push notifications of A2A, so that they are
 * not kept; none in any other body.
 */
export function findTokens(text: string, headers: readonly KeptHeader[]): readonly string[] {
  if (asksForToken(text, headers)) {
    const form = new URLSearchParams(text);
    return SECRETS.flatMap(name => form.getAll(name)).filter(isSecret);
  }
  const type = findHeader(headers, 'content-type') ?? '';
  const fields = /json/.test(type) && text.includes('_token"') ? readFields(parseJson(text)) : undefined;
  const found = SECRETS.flatMap(name => {
    const value = fields?.get(name);
    return typeof value === 'string' && isSecret(value) ? [value] : [];
  });
  return [...found, ...findPushSecrets(text)];
}

/** What is too short is none: to look for it would make holes in every text. */
function isSecret(value: string): boolean {
  return value.length >= SHORTEST_TOKEN;
}
