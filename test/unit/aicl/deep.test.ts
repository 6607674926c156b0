import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseAicl } from '../../../language/aicl/parse.ts';
import { MAX_PIECES } from '../../../language/aicl/loose.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { itAtFullSize, sized } from '../../support/size.ts';

/** Every unit of this test is long: its lexemes are stored, and whole entries are tried as runs. */
const LIMITS = { longUnit: 1_024, run: 1_024 };

describe('AICL that nests deeper than 200 levels', () => {
  for (const opener of ['[d:[s:a]:', '[l:', '[d:[s:a]:[l:', '[l:[i:1],'])
    it(`is read with work linear in its length: ${opener}`, () => {
      const text = opener.repeat(sized(2_000, 400));
      const { work, units } = parseAicl(text, DEFAULT_SETTINGS, () => []);
      assert.ok(work.count < 10 * text.length, `${work.count} steps for ${text.length} characters`);
      const long = parseAicl(text, DEFAULT_SETTINGS, () => [], LIMITS);
      assert.ok(long.work.count < 20 * text.length, `${long.work.count} steps for ${text.length} characters`);
      assert.equal(long.units.count, units.count);
    });

  it('does not store the lexemes of the values below', () => {
    const depth = sized(4_000, 600);
    const text = '[l:'.repeat(depth) + ']'.repeat(depth);
    const { units } = parseAicl(text, DEFAULT_SETTINGS, () => [], LIMITS);
    const lexemes = units.at(0)?.parts?.parts.length ?? 0;
    assert.ok(lexemes <= 201, `${lexemes} lexemes`);
  });
});

describe('AICL of very many texts with brackets', () => {
  itAtFullSize(
    'stores no more lexemes than a broken message may have, and reads them with linear work',
    () => {
      const read = (times: number) =>
        parseAicl(`[d:[s:a]:[l:${'[s:a[0],'.repeat(times)}]`, DEFAULT_SETTINGS, () => []);
      assert.deepEqual(read(MAX_PIECES).units.at(0)?.parts?.parts.length, MAX_PIECES);
      // The pieces beyond the limit cost more than those before it, but each the same.
      const [half, whole] = [read(2 * MAX_PIECES), read(4 * MAX_PIECES)];
      assert.deepEqual(whole.units.at(0)?.parts?.parts.length, MAX_PIECES);
      assert.ok(whole.work.count <= 2.1 * half.work.count, `${half.work.count}, then ${whole.work.count}`);
    },
  );
});
