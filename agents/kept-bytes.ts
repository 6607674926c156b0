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
