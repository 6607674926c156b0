const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = (rest & 1) === 1 ? 0xedb8_8320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

/** The CRC-32 of ZIP and PNG (ISO 3309, reflected, polynomial 0x04C11DB7), from 0 to 2^32-1. */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffff_ffff;
  for (let at = 0; at < bytes.length; at++)
    rest = (TABLE[(rest ^ (bytes[at] ?? 0)) & 255] ?? 0) ^ (rest >>> 8);
  return ~rest >>> 0;
}
