import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isFromCost, isToCost } from '../../../protocol/src/wire/cost-messages.ts';
import { costRow } from '../../support/cost-row.ts';

const subject = { file: 'calls.aicf', line: 3 };
const table = { encoding: 'o200k_base', messages: 1, unread: 0, rows: [costRow({})] };

describe('messages of the cost page', () => {
  it('to the page are known by their shape', () => {
    const right = [
      { type: 'begun', subject, encoding: 'cl100k_base' },
      { type: 'show', subject, table },
      { type: 'show', subject: { file: 'a.json' }, table: { ...table, rows: [] } },
      { type: 'problem', subject, problem: 'why' },
      { type: 'stopped' },
    ];
    const wrong = [
      undefined,
      'stopped',
      {},
      { type: 'begun', subject, encoding: 'r50k_base' },
      { type: 'show', subject, table: { ...table, encoding: 'gpt2' } },
      { type: 'show', subject, table: { ...table, rows: [{ ...costRow({}), layout: 'wide' }] } },
      { type: 'show', subject: { file: 7 }, table },
      { type: 'show', table },
      { type: 'problem', subject: { ...subject, line: '3' }, problem: 'why' },
      { type: 'problem', subject },
      { type: 'other', subject },
    ];
    assert.deepEqual([...right, ...wrong].map(isToCost), [
      ...right.map(() => true),
      ...wrong.map(() => false),
    ]);
  });

  it('from the page are known by their shape', () => {
    const right = [
      { type: 'ready' },
      { type: 'stop' },
      { type: 'again' },
      { type: 'encoding', encoding: 'o200k_base' },
      { type: 'open' },
      { type: 'open', protocol: 'mcp' },
      { type: 'copy', text: '' },
    ];
    const wrong = [
      null,
      { type: 'encoding', encoding: 'gpt2' },
      { type: 'open', protocol: 'soap' },
      { type: 'open', protocol: null },
      { type: 'copy' },
      { type: 'close' },
    ];
    assert.deepEqual([...right, ...wrong].map(isFromCost), [
      ...right.map(() => true),
      ...wrong.map(() => false),
    ]);
  });
});
