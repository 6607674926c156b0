import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { findAll } from '../../../language/search.ts';
import { SourceText } from '../../../core/text/source-text.ts';
import { share } from '../../support/share.ts';
import { runs } from '../../support/size.ts';

function indexesIn(text: string, needle: string, start: number, end: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1))
    if (at >= start && at + needle.length <= end) found.push(at);
  return found;
}

describe('findAll', () => {
  it('finds what a string finds, across the chunks of a text too', () => {
    const piece = fc.constantFrom('ab', 'a', 'b', '\n', 'x'.repeat(9_000), 'ab'.repeat(5_000));
    const text = fc.array(piece, { maxLength: 12 }).map(parts => parts.join(''));
    const needle = fc.constantFrom('a', 'ab', 'ba', 'xab', 'x\n', 'abab', 'x'.repeat(20_000));
    fc.assert(
      fc.property(text, needle, share, (all, wanted, part) => {
        const start = Math.floor(all.length * part * 0.5);
        const end = all.length - start;
        const found = [...findAll(SourceText.of(all), wanted, { start, end })];
        assert.deepEqual(found, indexesIn(all, wanted, start, end));
      }),
      { numRuns: runs(200) },
    );
  });

  it('finds an empty needle nowhere', () =>
    assert.deepEqual([...findAll(SourceText.of('abc'), '', { start: 0, end: 3 })], []));
});
