/**
 * An OpenTelemetry id with this number of digits: lower-case hex, not all zeros. Any other name is hashed,
 * always to the same digits; the name itself is exported as well.
 */
export function toHexId(name: string, digits: 16 | 32): string {
  if (name.length === digits && /^[\da-f]+$/.test(name) && /[1-9a-f]/.test(name)) return name;
  const parts = Array.from({ length: digits / 8 }, (_, index) => hash(name, index));
  const hex = parts.map(part => part.toString(16).padStart(8, '0')).join('');
  return /[1-9a-f]/.test(hex) ? hex : '1'.padStart(digits, '0');
}

/** A variant of FNV-1a of 32 bits over UTF-16, with another start value for each part. */
function hash(text: string, part: number): number {
  let state = 0x811c9dc5 ^ Math.imul(part, 0x9e3779b1);
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 15), 0x85ebca6b);
  return (state ^ (state >>> 13)) >>> 0;
}

const MAX_NANOSECONDS = 2n ** 64n - 1n;

/** Milliseconds since 1970 as nanoseconds in digits, clamped to OpenTelemetry's range of 64 bits. */
export function toNanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  const nanoseconds = BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1e6));
  if (nanoseconds < 0n) return '0';
  return String(nanoseconds > MAX_NANOSECONDS ? MAX_NANOSECONDS : nanoseconds);
}
