/** Bytes per row. */
export const ROW_BYTES = 16;

/** The number of bytes in a group: one element, or half a row if an element is one byte or a whole row long. */
export function groupSize(elementSize: number): number {
  return elementSize === 1 || elementSize === ROW_BYTES ? ROW_BYTES / 2 : elementSize;
}

/**
 * The column of a byte in a row's hex text. Each byte has two digits and a blank, with one more blank between
 * groups.
 */
export function hexColumn(byte: number, group: number): number {
  return byte * 3 + Math.floor(byte / group);
}

/** The byte of a row at a column of its hex text; for a blank, the byte before it. */
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

/** Formats a row: offset in hexadecimal, bytes, and ASCII with a dot for characters that cannot be shown. */
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

/** An offset with at least eight hexadecimal digits. */
export function offsetText(offset: number): string {
  return offset.toString(16).padStart(8, '0');
}
