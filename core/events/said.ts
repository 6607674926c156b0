import { utf8Length } from '../text/utf8.ts';
import type { KeptBytes, WireEvent } from './events.ts';
import { trimEndOf } from '../text/trim.ts';

/** What the bytes of an event say: where they are compressed what they unpack to, else they themselves. */
export function saidBy({ bytes, unpacked }: WireEvent): KeptBytes {
  return unpacked ?? bytes;
}

/** How many characters of payload an event holds. */
export function keptLength({ bytes, unpacked }: WireEvent): number {
  return lengthOf(bytes) + (unpacked ? lengthOf(unpacked) : 0);
}

/** How many bytes were kept. A host that counts the UTF-8 bytes of a text faster brings how it does. */
export function keptSize(kept: KeptBytes, lengthOfText: (text: string) => number = utf8Length): number {
  if ('text' in kept) return lengthOfText(kept.text);
  return Math.floor((trimEndOf(kept.base64, '=').length * 3) / 4);
}

function lengthOf(kept: KeptBytes): number {
  return 'text' in kept ? kept.text.length : kept.base64.length;
}
