import { findConversion } from '../../core/catalog/conversions.ts';
import { findCostLayout } from '../../core/catalog/costs.ts';
import { countOf, showCount } from '../../core/text/count.ts';
import type { CostRow, CostTable } from './cost-table.ts';

const HEAD = ['Protocol', 'Layout', 'Tokens', 'Ratio', 'Bytes', 'Ratio', 'Parse ms', 'Ratio', 'Losses'];

/** The number of left-aligned text columns; the others are numbers, aligned right. */
const WORDS = 2;

/** Prints a table for people: a line with `place`, then aligned Markdown, the fewest tokens first. */
export function printCost(place: string, { messages, encoding, rows }: CostTable): string {
  const sorted = rows.toSorted((one, other) => one.tokens - other.tokens);
  return `${place}: ${countOf(messages, 'message')}, tokens of ${encoding}\n\n${align(sorted.map(cells))}`;
}

/** Notes on the numbers of a table, in short lines. */
export function printCostNotes({ messages, unread, tooLong = 0, untimed = 0, rows }: CostTable): string {
  const sentences = [
    messages === 0
      ? 'There is no message in it:\nonly the text as it is written was counted.'
      : 'A ratio is to the text as it is written.',
    unread === 0
      ? ''
      : `${countOf(unread, 'part')} could not be read:\n${unread === 1 ? 'it counts' : 'they count'} in the row as written alone.`,
    tooLong === 0
      ? ''
      : `${countOf(tooLong, 'row')} ${tooLong === 1 ? 'is' : 'are'} left out:\nthe text is too long to be counted.`,
    untimed === 0
      ? ''
      : `${countOf(untimed, 'row')} ${untimed === 1 ? 'has' : 'have'} no time:\nthe text is too long to be timed.`,
    rows.some(({ losses }) => losses > 0)
      ? "Losses are what a row leaves out or guesses:\n'Parley: Convert…' shows it."
      : '',
    rows.some(({ isExact }) => !isExact) ? 'A number with ≈ is an estimate.' : '',
  ];
  return sentences.filter(sentence => sentence !== '').join('\n');
}

function cells(row: CostRow): readonly string[] {
  return [
    findConversion(row.protocol)?.short ?? 'Mixed',
    findCostLayout(row.layout)?.title ?? row.layout,
    `${row.isExact ? '' : '≈'}${showCount(row.tokens)}`,
    row.tokenRatio.toFixed(2),
    showCount(row.bytes),
    row.byteRatio.toFixed(2),
    showTime(row.parseMs),
    row.parseRatio?.toFixed(2) ?? '',
    showCount(row.losses),
  ];
}

/** Prints three digits, without exponents. */
function showTime(ms: number | undefined): string {
  if (ms === undefined) return '';
  return ms >= 100 ? showCount(Math.round(ms)) : ms.toFixed(ms >= 10 ? 1 : ms >= 1 ? 2 : 3);
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, column) => Math.max(...[HEAD, ...rows].map(row => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string => {
    const padded = widths.map((width, column) => {
      const cell = row[column] ?? '';
      return column < WORDS ? cell.padEnd(width) : cell.padStart(width);
    });
    return `${padded.join(' | ')}\n`;
  };
  const rule = widths.map((width, column) => `${'-'.repeat(width - 1)}${column < WORDS ? '-' : ':'}`);
  return [HEAD, rule, ...rows].map(line).join('');
}
