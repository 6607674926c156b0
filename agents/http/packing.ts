import { quote } from '../../core/text/quote.ts';
import type { StoredHeader } from '../../core/events/events.ts';
import { findHeader, listPackings } from '../../core/events/headers.ts';

/**
 * The compression of a reply's body as its head names it (HTTP, "Content-Encoding"), quoted; undefined if the
 * body is not compressed or is empty. We ask for `identity`: a body that is compressed all the same is not
 * decompressed, because a few bytes of it may become any number.
 */
export function findPacking(headers: readonly StoredHeader[]): string | undefined {
  const isEmpty = findHeader(headers, 'content-length')?.trim() === '0';
  const isPacked = listPackings(headers).length > 0 && !isEmpty;
  return isPacked ? quote(findHeader(headers, 'content-encoding')?.trim() ?? '') : undefined;
}
