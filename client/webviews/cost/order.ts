import type { CostRow } from '../../../protocol/src/cost/cost-table.ts';
import { hasShape } from '../../../protocol/src/wire/guard.ts';
import { COLUMNS, type ColumnName } from './columns.ts';

/** What rows are sorted by; undefined for the table's own order, protocol by protocol. */
export type Order =
  { readonly column: ColumnName; readonly direction: 'ascending' | 'descending' } | undefined;

/** The order after a click on a column's head: the smallest first, then the largest, then the table's own again. */
export function nextOrder(order: Order, column: ColumnName): Order {
  if (order?.column !== column) return { column, direction: 'ascending' };
  return order.direction === 'ascending' ? { column, direction: 'descending' } : undefined;
}

/** The rows in an order. Equal ones keep the table's own; what has no value comes last either way. */
export function sortRows(rows: readonly CostRow[], order: Order): readonly CostRow[] {
  const column = COLUMNS.find(({ name }) => name === order?.column);
  if (!order || !column) return rows;
  const sign = order.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [left, right] = [column.value(one), column.value(other)];
    if (left === undefined || right === undefined)
      return Number(left === undefined) - Number(right === undefined);
    return left === right ? 0 : left < right ? -sign : sign;
  });
}

/** An order from what was kept; undefined for anything else. */
export function readOrder(value: unknown): Order {
  if (!hasShape(value, { column: 'string', direction: 'string' })) return undefined;
  const column = COLUMNS.find(({ name }) => name === value['column'])?.name;
  const direction = (['ascending', 'descending'] as const).find(known => known === value['direction']);
  return column && direction && { column, direction };
}
