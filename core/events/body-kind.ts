import type { BodyKind } from '../secrets/credential-scanner.ts';
import type { KeptHeader } from './events.ts';
import { findHeader } from './headers.ts';

/** What a body is by its head, as far as its credentials depend on it. */
export function bodyKindOf(headers: readonly KeptHeader[], isSignIn = false): BodyKind {
  const type = findHeader(headers, 'content-type')?.toLowerCase() ?? '';
  // The names of its fields say all, whatever it is for.
  if (type.startsWith('application/x-www-form-urlencoded')) return 'form';
  if (isSignIn) return 'sign-in';
  if (/^(?:application|text)\/(?:[\w.+-]+\+)?json\b/.test(type)) return 'json';
  return /^(?:$|text\/plain\b|application\/octet-stream\b)/.test(type) ? 'unknown' : 'any';
}
