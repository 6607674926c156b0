import { quote } from '../../core/text/quote.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { findHeader, listPackings } from '../../core/events/headers.ts';

/**
 * How the body of a reply is compressed, as its head says it (HTTP, "Content-Encoding"), quoted; undefined where it is not,
 * or is empty. We ask for `identity`: a body that is compressed all the same is not unpacked, as a few bytes of it may
 * become any number.
 */
export function findPacking(headers: readonly KeptHeader[]): string | undefined {
  const isEmpty = findHeader(headers, 'content-length')?.trim() === '0';
  const isPacked = listPackings(headers).length > 0 && !isEmpty;
  return isPacked ? quote(findHeader(headers, 'content-encoding')?.trim() ?? '') : undefined;
}
