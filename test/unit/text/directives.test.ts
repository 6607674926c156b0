import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readDirective, readTimeout } from '../../../language/directives.ts';

describe('directives', () => {
  it('are read from container lines', () => {
    const lines = [
      '# @agent coder',
      ' #@agent  a b \t',
      '# @name',
      '#\t@timeout\t5\r\n',
      '# @agentx',
      '# agent',
      '@agent',
    ];
    assert.deepEqual(lines.map(readDirective), [
      { name: 'agent', value: 'coder' },
      { name: 'agent', value: 'a b' },
      { name: 'name', value: '' },
      { name: 'timeout', value: '5' },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('give time-outs in milliseconds, or are wrong', () => {
    const values = [undefined, '1', '0.5', '999999', '0', '-1', '1e3', '1000000', '', ' 1', 'soon'];
    assert.deepEqual(values.map(readTimeout), [
      undefined,
      1000,
      500,
      999_999_000,
      ...Array.from({ length: 7 }, () => 'wrong'),
    ]);
  });
});
