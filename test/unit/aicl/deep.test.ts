import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseAicl } from '../../../language/aicl/parse.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';

/** Every unit of this test is long: its lexemes are stored, and whole entries are tried as runs. */
const LIMITS = { longUnit: 1_024, run: 1_024 };

describe('AICL that nests deeper than 200 levels', () => {
  for (const opener of ['[d:[s:a]:', '[l:', '[d:[s:a]:[l:', '[l:[i:1],'])
    it(`is read with work linear in its length: ${opener}`, () => {
      const text = opener.repeat(2_000);
      const { work, units } = parseAicl(text, DEFAULT_SETTINGS, () => []);
      assert.ok(work.count < 10 * text.length, `${work.count} steps for ${text.length} characters`);
      const long = parseAicl(text, DEFAULT_SETTINGS, () => [], LIMITS);
      assert.ok(long.work.count < 20 * text.length, `${long.work.count} steps for ${text.length} characters`);
      assert.equal(long.units.count, units.count);
    });

  it('does not store the lexemes of the values below', () => {
    const text = '[l:'.repeat(4_000) + ']'.repeat(4_000);
    const { units } = parseAicl(text, DEFAULT_SETTINGS, () => [], LIMITS);
    const lexemes = units.at(0)?.parts?.parts.length ?? 0;
    assert.ok(lexemes <= 201, `${lexemes} lexemes`);
  });
});
