import type { BodyKind } from '../secrets/credential-scanner.ts';
import type { KeptHeader } from './events.ts';
import { findHeader } from './headers.ts';

/** What a body is by its head, as far as its credentials depend on it. */
export function bodyKindOf(headers: readonly KeptHeader[], isSignIn = false): BodyKind {
  const type = findHeader(headers, 'content-type')?.toLowerCase() ?? '';
  if (isSignIn) return 'sign-in';
  if (type.startsWith('application/x-www-form-urlencoded')) return 'form';
  return /^application\/(?:[\w.+-]+\+)?json\b/.test(type) ? 'json' : 'any';
}
