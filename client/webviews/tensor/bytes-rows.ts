/** Bytes of a row. */
export const ROW_BYTES = 16;

/** Bytes that stand close together: an element, or half a row where elements are as small as a byte or as long as a row. */
export function groupSize(elementSize: number): number {
  return elementSize === 1 || elementSize === ROW_BYTES ? ROW_BYTES / 2 : elementSize;
}

/** The character of a row's hex text at which a byte begins: two digits and a blank each, one more between groups. */
export function hexColumn(byte: number, group: number): number {
  return byte * 3 + Math.floor(byte / group);
}

/** The byte of a row under a character of its hex text; the nearest one before it for a blank. */
export function byteAtColumn(column: number, group: number): number {
  let byte = ROW_BYTES - 1;
  while (byte > 0 && hexColumn(byte, group) > column) byte--;
  return byte;
}

/** A row of the hex view. */
export interface BytesRow {
  readonly offset: string;
  readonly hex: string;
  readonly ascii: string;
}

/** Writes a row: its offset in hexadecimal digits, its bytes, and the same as ASCII, a dot for what cannot be shown. */
export function bytesRow(bytes: Uint8Array, row: number, group: number): BytesRow {
  const start = row * ROW_BYTES;
  const part = bytes.subarray(start, start + ROW_BYTES);
  let hex = '';
  let ascii = '';
  for (const [at, byte] of part.entries()) {
    hex = `${hex.padEnd(hexColumn(at, group))}${byte.toString(16).padStart(2, '0')}`;
    ascii += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
  }
  return { offset: offsetText(start), hex, ascii };
}

/** An offset as eight hexadecimal digits, or more where it needs them. */
export function offsetText(offset: number): string {
  return offset.toString(16).padStart(8, '0');
}
