import { findConversion } from '../../../protocol/src/catalog/conversions.ts';
import { findCostLayout } from '../../../protocol/src/catalog/cost-layouts.ts';
import type { CostRow } from '../../../protocol/src/cost/cost-table.ts';
import { showCount } from '../../../protocol/src/text/count.ts';

/** A column of the table. */
export interface Column {
  readonly name: ColumnName;
  /** What its head says. */
  readonly head: string;
  /** What a screen reader says: two heads may be the same word. */
  readonly label: string;
  /** What rows are sorted by; undefined where a row says nothing, which comes last. */
  readonly value: (row: CostRow) => number | string | undefined;
  readonly show: (row: CostRow) => string;
  /** What a bar behind the text shows. */
  readonly ratio?: (row: CostRow) => number;
}

export type ColumnName = 'protocol' | 'tokens' | 'tokenRatio' | 'bytes' | 'byteRatio' | 'parseMs' | 'losses';

/** The columns from left to right. The first is of words, the others of numbers. */
export const COLUMNS: readonly Column[] = [
  { name: 'protocol', head: 'Protocol', label: 'Protocol', value: titleOf, show: titleOf },
  {
    name: 'tokens',
    head: 'Tokens',
    label: 'Tokens',
    value: row => row.tokens,
    show: row => `${row.isExact ? '' : '≈'}${showCount(row.tokens)}`,
  },
  {
    name: 'tokenRatio',
    head: 'Ratio',
    label: 'Ratio of tokens',
    value: row => row.tokenRatio,
    show: row => row.tokenRatio.toFixed(2),
    ratio: row => row.tokenRatio,
  },
  {
    name: 'bytes',
    head: 'Bytes',
    label: 'Bytes',
    value: row => row.bytes,
    show: row => showCount(row.bytes),
  },
  {
    name: 'byteRatio',
    head: 'Ratio',
    label: 'Ratio of bytes',
    value: row => row.byteRatio,
    show: row => row.byteRatio.toFixed(2),
    ratio: row => row.byteRatio,
  },
  {
    name: 'parseMs',
    head: 'Parse ms',
    label: 'Milliseconds to parse',
    value: row => row.parseMs,
    show: row => showTime(row.parseMs),
  },
  {
    name: 'losses',
    head: 'Losses',
    label: 'Losses',
    value: row => row.losses,
    show: row => showCount(row.losses),
  },
];

/** The protocol of a row. */
export function titleOf({ protocol }: CostRow): string {
  return findConversion(protocol)?.short ?? 'Mixed';
}

/** How a row is laid out. */
export function layoutOf({ layout }: CostRow): string {
  return findCostLayout(layout)?.title ?? layout;
}

/** Tells a row of a table from every other one, in later tables too. */
export function keyOf({ protocol, layout }: CostRow): string {
  return `${protocol ?? ''} ${layout}`;
}

/** Three digits, without exponents. */
function showTime(ms: number | undefined): string {
  if (ms === undefined) return '';
  return ms >= 100 ? showCount(Math.round(ms)) : ms.toFixed(ms >= 10 ? 1 : ms >= 1 ? 2 : 3);
}
