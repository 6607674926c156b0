import type { BodyKind } from '../secrets/credential-scanner.ts';
import type { StoredHeader } from './events.ts';

/** The value of the first header with this lower-case name; undefined if there is none. */
export function findHeader(headers: readonly StoredHeader[], name: string): string | undefined {
  return headers.find(header => header.name.toLowerCase() === name)?.value;
}

/** The values of all headers with this lower-case name, in order. */
export function headerValues(headers: readonly StoredHeader[], wanted: string): readonly string[] {
  return headers.filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
}

/** True if the headers announce a stream of server-sent events. */
export function isEventStream(headers: readonly StoredHeader[]): boolean {
  return /^\s*text\/event-stream/i.test(findHeader(headers, 'content-type') ?? '');
}

/** The content encodings of a body in the order in which they were applied; empty if it is not compressed. */
export function listPackings(headers: readonly StoredHeader[]): readonly string[] {
  return headerValues(headers, 'content-encoding')
    .flatMap(value => value.split(','))
    .map(packing => packing.trim().toLowerCase())
    .filter(packing => packing !== '' && packing !== 'identity');
}

/** The kind of a body according to its headers, as far as the search for credentials depends on it. */
export function bodyKindOf(headers: readonly StoredHeader[], isSignIn = false): BodyKind {
  const type = findHeader(headers, 'content-type')?.toLowerCase() ?? '';
  // The field names of a form are sufficient, even for a sign-in.
  if (type.startsWith('application/x-www-form-urlencoded')) return 'form';
  if (isSignIn) return 'sign-in';
  if (/^(?:application|text)\/(?:[\w.+-]+\+)?json\b/.test(type)) return 'json';
  return /^(?:$|text\/plain\b|application\/octet-stream\b)/.test(type) ? 'unknown' : 'any';
}
