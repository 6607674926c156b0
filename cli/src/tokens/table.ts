import { findConversion } from '../../../protocol/src/catalog/conversions.ts';
import { findCostLayout } from '../../../protocol/src/catalog/cost-layouts.ts';
import type { CostRow, CostTable } from '../../../protocol/src/cost/cost-table.ts';
import { countOf } from '../print/text.ts';

/** What a file, or one message of it, costs. */
export interface FileCost extends CostTable {
  readonly file: string;
  /** The message that was picked, from 1. */
  readonly message?: number;
}

const HEAD = ['protocol', 'layout', 'bytes', 'ratio', 'tokens', 'ratio', 'parse ms', 'ratio', 'losses'];

/** Columns of words; those after them are of numbers and end under one another. */
const WORDS = 2;

/** A file's table for people: a line about the file, then one a row. */
export function printTable({ file, message, messages, encoding, rows }: FileCost): string {
  const name = message === undefined ? file : `${file}:${message}`;
  return `${name}: ${countOf(messages, 'message')}, tokens of ${encoding}\n${align([HEAD, ...rows.map(cells)])}`;
}

function cells(row: CostRow): readonly string[] {
  return [
    findConversion(row.protocol)?.short ?? 'mixed',
    findCostLayout(row.layout)?.title ?? row.layout,
    String(row.bytes),
    row.byteRatio.toFixed(2),
    `${row.isExact ? '' : '≈'}${row.tokens}`,
    row.tokenRatio.toFixed(2),
    row.parseMs === undefined ? '' : row.parseMs.toPrecision(3),
    row.parseRatio === undefined ? '' : row.parseRatio.toFixed(2),
    String(row.losses),
  ];
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows
    .map(row => {
      const line = row.map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < WORDS ? cell.padEnd(width) : cell.padStart(width);
      });
      return `${line.join('  ')}\n`;
    })
    .join('');
}
