import type { KeptBytes, WireEvent } from './events.ts';

/** What the bytes of an event say: where they are compressed what they unpack to, else they themselves. */
export function saidBy({ bytes, unpacked }: WireEvent): KeptBytes {
  return unpacked ?? bytes;
}

/** How many characters of payload an event holds. */
export function keptLength({ bytes, unpacked }: WireEvent): number {
  return lengthOf(bytes) + (unpacked ? lengthOf(unpacked) : 0);
}

function lengthOf(kept: KeptBytes): number {
  return 'text' in kept ? kept.text.length : kept.base64.length;
}
