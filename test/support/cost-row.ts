import type { CostRow } from '../../protocols/cost/cost-table.ts';

/** A row of a cost table; what is not named is that of a text of ten tokens as it is written. */
export function costRow(parts: Partial<CostRow>): CostRow {
  return {
    protocol: 'aicl',
    layout: 'source',
    bytes: 40,
    byteRatio: 1,
    tokens: 10,
    isExact: true,
    tokenRatio: 1,
    losses: 0,
    parseMs: 0.05,
    parseRatio: 1,
    ...parts,
  };
}
