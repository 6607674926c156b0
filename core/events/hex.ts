const HEX_WIDTH = 16;

/** A hex dump: offset, sixteen bytes, and the same as ASCII with a dot for what cannot be shown. */
export function printHex(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += HEX_WIDTH) {
    const row = [...bytes.subarray(at, at + HEX_WIDTH)];
    const hex = row.map(byte => byte.toString(16).padStart(2, '0')).join(' ');
    const ascii = row.map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(8, '0')}  ${hex.padEnd(HEX_WIDTH * 3 - 1)}  ${ascii}`);
  }
  return lines.join('\n');
}
