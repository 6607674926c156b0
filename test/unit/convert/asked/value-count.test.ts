import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { runAtOnce } from '../../../../core/text/slices.ts';
import { hasTooManyValues } from '../../../../protocols/convert/calls/value-count.ts';

const hasMore = (text: string, most: number): boolean => runAtOnce(hasTooManyValues(text, most));

describe('the number of values in a reply', () => {
  it('is that of its commas between values, in any layout', () => {
    const list = Array.from({ length: 101 }, (_, at) => ({ at, name: 'n', none: null, list: [1, 2] }));
    for (const text of [
      JSON.stringify(list),
      JSON.stringify(list, undefined, 2),
      JSON.stringify(list).replaceAll(',', ', '),
    ]) {
      assert.equal(hasMore(text, 300), true);
      assert.equal(hasMore(text, 600), false);
    }
  });

  it('does not count commas of prose', () => {
    const prose = JSON.stringify({ text: 'One, two, three, and so on. '.repeat(1_000) });
    assert.equal(hasMore(prose, 2), false);
  });
});
