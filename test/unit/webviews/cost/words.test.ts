import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { COLUMNS, layoutOf, titleOf } from '../../../../client/webviews/cost/columns.ts';
import { describePlace, describeTable, printMarkdown } from '../../../../client/webviews/cost/words.ts';
import type { CostTable } from '../../../../protocol/src/cost/cost-table.ts';
import { costRow } from '../../../support/cost-row.ts';

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
    costRow({ protocol: undefined, layout: 'single', tokens: 1, tokenRatio: 1 / 13, parseMs: undefined }),
  ],
};

describe('the words of a cost table', () => {
  it('say each number so that it can be read and compared', () => {
    const shown = TABLE.rows.map(row => [layoutOf(row), ...COLUMNS.map(({ show }) => show(row))]);
    assert.deepEqual(shown, [
      ['as written', 'AICF', '13', '1.00', '29', '1.00', '0.060', '0'],
      ['minified', 'MCP', '≈12,345', '949.62', '1,234,567', '42571.28', '12.3', '2'],
      ['one layout', 'Mixed', '1', '0.08', '40', '1.00', '', '0'],
    ]);
    const times = [0, 0.9994, 1.234, 99.94, 100.4, 12_345.6].map(parseMs =>
      COLUMNS.find(({ name }) => name === 'parseMs')?.show(costRow({ parseMs })),
    );
    assert.deepEqual(times, ['0.000', '0.999', '1.23', '99.9', '100', '12,346']);
    assert.deepEqual(
      TABLE.rows.map(row => titleOf(row)),
      ['AICF', 'MCP', 'Mixed'],
    );
  });

  it('say what is compared, and where the numbers say less', () => {
    const every = 'in every protocol. A ratio is to the text as it is written.';
    const plain = { ...TABLE, rows: TABLE.rows.slice(0, 1) };
    assert.deepEqual(
      [
        describeTable(plain),
        describeTable({ ...plain, messages: 12, unread: 1 }),
        describeTable({ ...plain, messages: 0, unread: 2 }),
        describeTable(TABLE),
      ],
      [
        `The same message ${every}`,
        `The same 12 messages ${every} 1 part could not be read as it stands and counts in the first row alone.`,
        'There is no message in it: only the text as it is written was counted. 2 parts could not be read as they stand and count in the first row alone.',
        `The same message ${every} A row with losses leaves something out or guesses it: open it to see what. A number with ≈ is an estimate.`,
      ],
    );
    assert.deepEqual(
      [describePlace({ file: 'calls.aicf' }), describePlace({ file: 'calls.aicf', line: 3 })],
      ['calls.aicf', 'calls.aicf, line 3'],
    );
  });

  it('are copied as Markdown in the order that is seen, and a name of a file stays text', () => {
    const subject = { file: '*a*|<b>.aicf', line: 2 };
    assert.equal(
      printMarkdown(subject, TABLE, { column: 'tokens', direction: 'ascending' }),
      '\\*a\\*\\|&lt;b\\>\\.aicf, line 2: 1 message, tokens of o200k_base\n\n' +
        '| Protocol | Layout | Tokens | Ratio | Bytes | Ratio | Parse ms | Losses |\n' +
        '| --- | --- | --: | --: | --: | --: | --: | --: |\n' +
        '| Mixed | one layout | 1 | 0.08 | 40 | 1.00 |  | 0 |\n' +
        '| AICF | as written | 13 | 1.00 | 29 | 1.00 | 0.060 | 0 |\n' +
        '| MCP | minified | ≈12,345 | 949.62 | 1,234,567 | 42571.28 | 12.3 | 2 |\n',
    );
  });
});
