import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { encodeJson } from '../../../language/aicf/json-field.ts';
import { parseAicf } from '../../../language/aicf/parse.ts';
import { validateAicf } from '../../../language/rules/aicf/validate.ts';
import { runs } from '../../support/size.ts';

const FOUND: readonly string[] = ['aicf/duplicate-key', 'aicf/rounded-number'];

function codes(text: string): readonly string[] {
  const found = validateAicf(parseAicf(text, DEFAULT_SETTINGS)).map(({ code }) => code);
  return found.filter(code => FOUND.includes(code));
}

/** A text of JSON, and the number of names in it that are there already. */
interface Written {
  readonly json: string;
  readonly repeated: number;
}

const text = fc.constantFrom(
  'a',
  'b',
  '":',
  ' " :',
  '\\":',
  'a:b',
  '__proto__',
  '1',
  '{"a":1}',
  '\u00e9',
  '|',
  '',
);
const blank = fc.constantFrom('', '', ' ', '\t', '  ');
const atom = fc
  .oneof(
    text.map(each => JSON.stringify(each)),
    fc.constantFrom('-0', '1.50', '20.0', 'null', 'true', '[]', '{}'),
  )
  .map((json): Written => ({ json, repeated: 0 }));

const { value } = fc.letrec<{ value: Written; list: Written; dict: Written }>(tie => ({
  value: fc.oneof({ depthSize: 'small' }, atom, tie('list'), tie('dict')),
  list: fc.array(tie('value'), { maxLength: 3 }).map(items => ({
    json: `[${items.map(({ json }) => json).join(',')}]`,
    repeated: items.reduce((sum, { repeated }) => sum + repeated, 0),
  })),
  dict: fc.array(fc.tuple(text, blank, tie('value')), { maxLength: 4 }).map(entries => ({
    json: `{${entries.map(([name, gap, { json }]) => `${gap}${JSON.stringify(name)}${gap}:${gap}${json}`).join(',')}}`,
    repeated:
      entries.length -
      new Set(entries.map(([name]) => name)).size +
      entries.reduce((sum, [, , { repeated }]) => sum + repeated, 0),
  })),
}));

describe('JSON in a field of AICF', () => {
  it('has an issue for each repeated name, however it is laid out and whatever its texts are', () => {
    fc.assert(
      fc.property(value, ({ json, repeated }) => {
        const wanted = Array.from({ length: Math.min(repeated, 20) }, () => 'aicf/duplicate-key');
        for (const line of [`CALL|t|[${encodeJson(`[${json}]`)},[]]`, `OK|[${encodeJson(json)}]`])
          assert.deepEqual(codes(line), wanted, line);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('has an issue for a number that a double rounds, beside others and in a deep list', () => {
    for (const number of ['12345678901234567891', '1e999', '-9007199254740993'])
      for (const line of [
        `CALL|t|{"a": 1.50,"b":[${number}]}`,
        `OK|{"a":"x","b":${number}}`,
        `OK|${'['.repeat(150)}${number}${']'.repeat(150)}`,
      ])
        assert.deepEqual(codes(line), ['aicf/rounded-number'], line);
    for (const number of [
      '0.12345678901234567891',
      '1e3',
      '9007199254740992',
      '-0',
      '"12345678901234567891"',
    ])
      assert.deepEqual(codes(`CALL|t|{"a":${number}}`), [], number);
  });

  it('needs no value for a variable to find a repeated name or a rounded number', () => {
    assert.deepEqual(codes('CALL|t|{"a":{{x}},"b":1,"a":2}'), ['aicf/duplicate-key']);
    assert.deepEqual(codes('CALL|t|[{{x}},12345678901234567891]'), ['aicf/rounded-number']);
    assert.deepEqual(codes('CALL|t|{"a":{{x}},"b":1}'), []);
  });
});
