/** Concatenates byte arrays, up to `most` bytes. */
export function joinBytes(parts: readonly Uint8Array[], most = Infinity): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = new Uint8Array(Math.min(length, most));
  let at = 0;
  for (const part of parts) {
    if (at === bytes.length) break;
    const fitting = part.subarray(0, bytes.length - at);
    bytes.set(fitting, at);
    at += fitting.length;
  }
  return bytes;
}
