import type { KeptBytes } from '../core/events/events.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as a trace keeps them: as text where they are whole UTF-8, else as base64, so that nothing is lost. */
export function keepBytes(bytes: Uint8Array): KeptBytes {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    // A character that is cut at the end counts as none.
    return { base64: viewOf(bytes).toString('base64') };
  }
}

/** The most bytes of the wire that one event has, so that no line of a trace file is too long to be held. */
const MOST_OF_EVENT = 2 ** 20;

/** Bytes in pieces for one event each. No character of UTF-8 is cut. */
export function* cutForEvents(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = Math.min(from + MOST_OF_EVENT, bytes.length);
    for (let back = 0; back < 3 && to < bytes.length && ((bytes[to] ?? 0) & 0xc0) === 0x80; back++) to--;
    yield bytes.subarray(from, to);
  }
}

/** Bytes as a text of one character (0 to 255) a byte, which a SecretStream can search. */
export function toByteText(bytes: Uint8Array): string {
  return viewOf(bytes).toString('latin1');
}

/** The bytes of such a text. */
export function fromByteText(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** The same memory as a Buffer, which Node reads with native code. */
function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
