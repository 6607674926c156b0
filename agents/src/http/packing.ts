import { quote } from '../../../protocol/src/text/quote.ts';
import type { KeptHeader } from '../../../protocol/src/trace/events.ts';

/**
 * How the body of a reply is compressed, as its head says it (HTTP, "Content-Encoding"), quoted; undefined where it is not,
 * or is empty. We ask for `identity`: a body that is compressed all the same is not unpacked, as a few bytes of it may
 * become any number.
 */
export function findPacking(headers: readonly KeptHeader[]): string | undefined {
  const find = (name: string): string | undefined =>
    headers.find(header => header.name.toLowerCase() === name)?.value.trim();
  const packing = find('content-encoding') ?? '';
  const isPlain = packing === '' || packing.toLowerCase() === 'identity';
  return isPlain || find('content-length') === '0' ? undefined : quote(packing);
}
