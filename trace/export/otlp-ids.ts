/**
 * An id of so many digits as OpenTelemetry wants it: lower-case hex that is not all zeros. A name that is none is mapped to the
 * same digits each time; what it was is kept beside it.
 */
export function toHexId(name: string, digits: 16 | 32): string {
  if (name.length === digits && /^[\da-f]+$/.test(name) && /[1-9a-f]/.test(name)) return name;
  const parts = Array.from({ length: digits / 8 }, (_, index) => hash(name, index));
  const hex = parts.map(part => part.toString(16).padStart(8, '0')).join('');
  return /[1-9a-f]/.test(hex) ? hex : '1'.padStart(digits, '0');
}

/** FNV-1a of 32 bits over UTF-16, begun elsewhere for each part. */
function hash(text: string, part: number): number {
  let state = 0x811c9dc5 ^ Math.imul(part, 0x9e3779b1);
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 15), 0x85ebca6b);
  return (state ^ (state >>> 13)) >>> 0;
}

const MOST_NANOSECONDS = 2n ** 64n - 1n;

/** Milliseconds since 1970 as nanoseconds in digits; a time that OpenTelemetry has no number for is its nearest one. */
export function toNanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const nanoseconds = BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1e6));
  if (nanoseconds < 0n) return '0';
  return String(nanoseconds > MOST_NANOSECONDS ? MOST_NANOSECONDS : nanoseconds);
}
