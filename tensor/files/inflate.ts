import { Inflate } from 'fflate';

/** The maximum compression ratio of DEFLATE (RFC 1951): 258 bytes for two bits. */
const MAX_PER_BYTE = 1_032;
/** The number of input bytes that are read before the output length is checked again. */
const PIECE = 8_192;
/**
 * The maximum number of pieces without output: an uncompressed block (3.2.4) has a header and up to 65,535
 * bytes, and may produce output only at its end.
 */
const MAX_IDLE = Math.ceil((65_535 + 5) / PIECE);

export type Inflation =
  /** `more` is true if the data continue after the requested bytes. */
  | { readonly kind: 'ok'; readonly bytes: Uint8Array; readonly more: boolean }
  /** What is wrong, as the end of a sentence. */
  | { readonly kind: 'fault'; readonly problem: string };

const TOO_SHORT: Inflation = {
  kind: 'fault',
  problem: 'its compressed data hold fewer bytes than it claims',
};

/**
 * Decompresses the first `size` bytes of raw DEFLATE data (RFC 1951). It never allocates more than the input
 * can produce and stops when the bytes are complete, so decompression bombs are harmless.
 */
export function inflate(deflated: Uint8Array, size: number): Inflation {
  if (size > deflated.length * MAX_PER_BYTE) return TOO_SHORT;
  const bytes = new Uint8Array(size);
  let filled = 0;
  let gained = 0;
  let more = false;
  const stream = new Inflate(chunk => {
    gained = chunk.length;
    const rest = chunk.subarray(0, size - filled);
    more ||= rest.length < chunk.length;
    bytes.set(rest, filled);
    filled += rest.length;
  });
  try {
    let idle = 0;
    // After this many pieces without output the data have ended, and what follows is not read.
    for (let at = 0; at < deflated.length && !more && idle <= MAX_IDLE; at += PIECE) {
      stream.push(deflated.subarray(at, at + PIECE), at + PIECE >= deflated.length);
      idle = gained === 0 ? idle + 1 : 0;
    }
  } catch {
    return { kind: 'fault', problem: 'its compressed data are damaged or cut off' };
  }
  return filled < size ? TOO_SHORT : { kind: 'ok', bytes, more };
}
