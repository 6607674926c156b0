import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isCostResult } from '../../../wire/cost-requests.ts';
import { costRow } from '../../support/cost-row.ts';

const table = { encoding: 'o200k_base', messages: 1, unread: 0, rows: [costRow({})] };

describe('answers about costs', () => {
  it('are known by their shape', () => {
    const right = [
      { ok: true, table },
      { ok: true, table: { ...table, rows: [] } },
      { ok: false, reason: 'why' },
    ];
    const wrong = [
      undefined,
      {},
      { ok: false },
      { ok: true },
      { ok: true, table: { ...table, encoding: 'gpt2' } },
      { ok: true, table: { ...table, rows: [{ ...costRow({}), layout: 'wide' }] } },
    ];
    assert.deepEqual([...right, ...wrong].map(isCostResult), [
      ...right.map(() => true),
      ...wrong.map(() => false),
    ]);
  });
});
