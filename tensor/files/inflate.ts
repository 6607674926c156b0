import { Inflate } from 'fflate';

/** DEFLATE (RFC 1951) writes at most 258 bytes with two bits. */
const MOST_PER_BYTE = 1_032;
/** So much of the input is read before the length of the output is looked at again. */
const PIECE = 8_192;
/** A block that is not compressed (3.2.4) has up to 65,535 bytes and a head, and gains nothing before the last of them. */
const MOST_IDLE = Math.ceil((65_535 + 5) / PIECE);

export type Inflation =
  /** `more`: the data go on after the bytes that were asked for. */
  | { readonly kind: 'ok'; readonly bytes: Uint8Array; readonly more: boolean }
  /** What is wrong, as the end of a sentence. */
  | { readonly kind: 'fault'; readonly problem: string };

const TOO_SHORT: Inflation = {
  kind: 'fault',
  problem: 'its compressed data hold fewer bytes than it claims',
};

/**
 * The first `size` bytes of what was deflated (RFC 1951, without a frame). Never allocates more than the input can
 * stand for, and stops as soon as the bytes are there: a small input that swells costs nothing.
 */
export function inflate(deflated: Uint8Array, size: number): Inflation {
  if (size > deflated.length * MOST_PER_BYTE) return TOO_SHORT;
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
    // After so many pieces that gain nothing the data have ended, and what follows is not read.
    for (let at = 0; at < deflated.length && !more && idle <= MOST_IDLE; at += PIECE) {
      stream.push(deflated.subarray(at, at + PIECE), at + PIECE >= deflated.length);
      idle = gained === 0 ? idle + 1 : 0;
    }
  } catch {
    return { kind: 'fault', problem: 'its compressed data are damaged or cut off' };
  }
  return filled < size ? TOO_SHORT : { kind: 'ok', bytes, more };
}
