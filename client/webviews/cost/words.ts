import type { CostTable } from '../../../protocol/src/cost/cost-table.ts';
import { countOf } from '../../../protocol/src/text/count.ts';
import { escapeMarkdown } from '../../../protocol/src/text/markdown.ts';
import type { CostSubject } from '../../../protocol/src/wire/cost-messages.ts';
import { COLUMNS, layoutOf, titleOf } from './columns.ts';
import { sortRows, type Order } from './order.ts';

/** Where the messages stand: `calls.aicf, line 3`. */
export function describePlace({ file, line }: CostSubject): string {
  return line === undefined ? file : `${file}, line ${line}`;
}

/** What is compared, and what the numbers mean. */
export function describeTable({ messages, unread, rows }: CostTable): string {
  const sentences = [
    messages === 0
      ? 'There is no message in it: only the text as it is written was counted.'
      : `${messages === 1 ? 'The same message' : `The same ${countOf(messages, 'message')}`} in every protocol. A ratio is to the text as it is written.`,
    unread === 0
      ? ''
      : `${countOf(unread, 'part')} could not be read as ${unread === 1 ? 'it stands and counts' : 'they stand and count'} in the first row alone.`,
    rows.some(({ losses }) => losses > 0)
      ? 'A row with losses leaves something out or guesses it: open it to see what.'
      : '',
    rows.some(({ isExact }) => !isExact) ? 'A number with ≈ is an estimate.' : '',
  ];
  return sentences.filter(sentence => sentence !== '').join(' ');
}

/** The table as Markdown, in an order. */
export function printMarkdown(subject: CostSubject, table: CostTable, order: Order): string {
  const [, ...numbers] = COLUMNS;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    `${escapeMarkdown(describePlace(subject))}: ${countOf(table.messages, 'message')}, tokens of ${table.encoding}`,
    '',
    line(['Protocol', 'Layout', ...numbers.map(({ head }) => head)]),
    line(['---', '---', ...numbers.map(() => '--:')]),
    ...sortRows(table.rows, order).map(row =>
      line([titleOf(row), layoutOf(row), ...numbers.map(({ show }) => show(row))]),
    ),
    '',
  ].join('\n');
}
