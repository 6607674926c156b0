/** Of a pixel that shows more rows than these, so many are read, and as many columns or some more. */
export const BLOCK_DETAIL = 48;

/** A run of blocks of one size: its first element and its first block, and how many there are of each. */
export interface Span {
  readonly from: number;
  readonly size: number;
  readonly block: number;
  readonly blocks: number;
}

/** Cuts a side into its whole blocks and the smaller one at the end: each becomes pixels of its own. */
export function spansOf(size: number, block: number): readonly Span[] {
  const blocks = Math.floor(size / block);
  const whole = blocks * block;
  return [
    { from: 0, size: whole, block: 0, blocks },
    { from: whole, size: size - whole, block: blocks, blocks: 1 },
  ].filter(span => span.size > 0);
}
