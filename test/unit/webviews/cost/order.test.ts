import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { COLUMNS, keyOf } from '../../../../client/webviews/cost/columns.ts';
import { nextOrder, readOrder, sortRows, type Order } from '../../../../client/webviews/cost/order.ts';
import { costRow } from '../../../support/cost-row.ts';

const ROWS = [
  costRow({ layout: 'source', protocol: 'aicf', tokens: 13, parseMs: 0.2 }),
  costRow({ layout: 'pretty', protocol: 'mcp', tokens: 90, parseMs: undefined }),
  costRow({ layout: 'compact', protocol: 'mcp', tokens: 50, parseMs: 0.1 }),
  costRow({ layout: 'single', protocol: 'aicf', tokens: 13, parseMs: 0.3 }),
];

const keys = (order: Order): readonly string[] => sortRows(ROWS, order).map(keyOf);

describe('the order of a cost table', () => {
  it('goes from its own to the smallest, the largest and back', () => {
    const orders: Order[] = [undefined];
    for (let click = 0; click < 3; click++) orders.push(nextOrder(orders.at(-1), 'tokens'));
    assert.deepEqual(orders.map(keys), [
      ['aicf source', 'mcp pretty', 'mcp compact', 'aicf single'],
      ['aicf source', 'aicf single', 'mcp compact', 'mcp pretty'],
      ['mcp pretty', 'mcp compact', 'aicf source', 'aicf single'],
      ['aicf source', 'mcp pretty', 'mcp compact', 'aicf single'],
    ]);
    assert.deepEqual(nextOrder({ column: 'tokens', direction: 'descending' }, 'bytes'), {
      column: 'bytes',
      direction: 'ascending',
    });
  });

  it('puts what has no value last, either way', () => {
    assert.deepEqual(keys({ column: 'parseMs', direction: 'ascending' }), [
      'mcp compact',
      'aicf source',
      'aicf single',
      'mcp pretty',
    ]);
    assert.deepEqual(keys({ column: 'parseMs', direction: 'descending' }), [
      'aicf single',
      'aicf source',
      'mcp compact',
      'mcp pretty',
    ]);
  });

  it('sorts words by their letters', () => {
    const sorted = sortRows(ROWS, { column: 'protocol', direction: 'descending' });
    assert.deepEqual(
      sorted.map(({ protocol }) => protocol),
      ['mcp', 'mcp', 'aicf', 'aicf'],
    );
  });

  it('is kept, and nothing else is taken for one', () => {
    for (const { name } of COLUMNS)
      for (const direction of ['ascending', 'descending'] as const) {
        const order = { column: name, direction };
        assert.deepEqual(readOrder(JSON.parse(JSON.stringify(order))), order);
      }
    const wrong = [
      undefined,
      null,
      7,
      {},
      { column: 'tokens' },
      { column: 'size', direction: 'ascending' },
      { column: 'tokens', direction: 'up' },
    ];
    assert.deepEqual(
      wrong.map(readOrder),
      wrong.map(() => undefined),
    );
  });
});
