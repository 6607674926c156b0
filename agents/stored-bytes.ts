import type { StoredBytes } from '../core/events/events.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes as a trace stores them: as text if they are valid UTF-8, else as base64, so that nothing is lost. */
export function keepBytes(bytes: Uint8Array): StoredBytes {
  try {
    return { text: UTF8.decode(bytes) };
  } catch {
    // A character that is cut off at the end is invalid too.
    return { base64: viewOf(bytes).toString('base64') };
  }
}

/** The maximum number of wire bytes in one event, so that no line of a trace file becomes too long to hold. */
const MAX_OF_EVENT = 2 ** 20;

/** Splits bytes into pieces of at most `most` bytes, without cutting a UTF-8 character. */
export function* cutBytes(bytes: Uint8Array, most: number): Generator<Uint8Array, void> {
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = Math.min(from + most, bytes.length);
    for (let back = 0; back < 3 && to < bytes.length && ((bytes[to] ?? 0) & 0xc0) === 0x80; back++) to--;
    yield bytes.subarray(from, to);
  }
}

/** Splits bytes into pieces for one event each. */
export function cutForEvents(bytes: Uint8Array): Generator<Uint8Array, void> {
  return cutBytes(bytes, MAX_OF_EVENT);
}

/** Bytes as a text with one character (0 to 255) per byte, which a SecretStream can search. */
export function toByteText(bytes: Uint8Array): string {
  return viewOf(bytes).toString('latin1');
}

/** The inverse of `toByteText`. */
export function fromByteText(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** A Buffer over the same memory, which Node reads with native code. */
function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
