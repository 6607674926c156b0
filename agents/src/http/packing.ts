import { quote } from '../../../protocol/src/text/quote.ts';
import type { KeptHeader } from '../../../protocol/src/trace/events.ts';
import { findHeader, listPackings } from '../../../protocol/src/trace/headers.ts';

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
