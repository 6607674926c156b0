import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CostTable } from '../../../protocols/cost/cost-table.ts';
import { printCost, printCostNotes } from '../../../protocols/cost/print-cost.ts';
import { costRow } from '../../support/cost-row.ts';

const TABLE: CostTable = {
  encoding: 'o200k_base',
  messages: 1,
  unread: 0,
  rows: [
    costRow({ protocol: 'aicf', tokens: 13, bytes: 29, parseMs: 0.0604 }),
    costRow({
      protocol: 'mcp',
      layout: 'compact',
      ...{ tokens: 12_345, tokenRatio: 949.6153, isExact: false },
      ...{ bytes: 1_234_567, byteRatio: 42_571.2759, parseMs: 12.345, losses: 2 },
    }),
    costRow({
      protocol: undefined,
      layout: 'single',
      ...{ tokens: 1, tokenRatio: 1 / 13, parseMs: undefined, parseRatio: undefined },
    }),
  ],
};

describe('the words of a cost table', () => {
  it('are an aligned table in Markdown, the fewest tokens first', () => {
    assert.deepEqual(printCost('`a.aicf`, line 2', { ...TABLE, messages: 1_200 }).split('\n'), [
      '`a.aicf`, line 2: 1,200 messages, tokens of o200k_base',
      '',
      'Protocol | Layout     |  Tokens |  Ratio |     Bytes |    Ratio | Parse ms | Ratio | Losses',
      '-------- | ---------- | ------: | -----: | --------: | -------: | -------: | ----: | -----:',
      'Mixed    | one layout |       1 |   0.08 |        40 |     1.00 |          |       |      0',
      'AICF     | as written |      13 |   1.00 |        29 |     1.00 |    0.060 |  1.00 |      0',
      'MCP      | minified   | ≈12,345 | 949.62 | 1,234,567 | 42571.28 |     12.3 |  1.00 |      2',
      '',
    ]);
  });

  it('say times in three digits', () => {
    const times = [0, 0.9994, 1.234, 99.94, 100.4, 12_345.6].map(parseMs => {
      const [, , , , row = ''] = printCost('a', { ...TABLE, rows: [costRow({ parseMs })] }).split('\n');
      return row.split('|')[6]?.trim();
    });
    assert.deepEqual(times, ['0.000', '0.999', '1.23', '99.9', '100', '12,346']);
  });

  it('say where the numbers say less', () => {
    const every = 'A ratio is to the text as it is written.';
    const plain = { ...TABLE, rows: TABLE.rows.slice(0, 1) };
    assert.deepEqual(
      [
        printCostNotes(plain),
        printCostNotes({ ...plain, messages: 12, unread: 1 }),
        printCostNotes({ ...plain, messages: 0, unread: 2 }),
        printCostNotes({ ...plain, tooLong: 1 }),
        printCostNotes({ ...plain, tooLong: 3 }),
        printCostNotes({ ...plain, untimed: 2 }),
        printCostNotes(TABLE),
      ],
      [
        every,
        `${every}\n1 part could not be read:\nit counts in the row as written alone.`,
        'There is no message in it:\nonly the text as it is written was counted.\n2 parts could not be read:\nthey count in the row as written alone.',
        `${every}\n1 row is left out:\nthe text is too long to be counted.`,
        `${every}\n3 rows are left out:\nthe text is too long to be counted.`,
        `${every}\n2 rows have no time:\nthe text is too long to be timed.`,
        `${every}\nLosses are what a row leaves out or guesses:\n'Parley: Convert…' shows it.\nA number with ≈ is an estimate.`,
      ],
    );
  });
});
