import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { layOutJson, printJson } from '../../../language/json/json-layout.ts';
import { roundedNumber } from '../../../language/json/json-number.ts';
import { applyEdits } from '../../../core/text/edit.ts';

const SOURCE = ' { "b" : [ 1.50, {} ,[ ] ],"a": "\\u0041 , :" }\n';

describe('JSON laid out', () => {
  it('keeps literals and order, and changes blanks', () => {
    const lay = (style: 'minified' | 'spaced' | 'indented'): string =>
      applyEdits(SOURCE, layOutJson(SOURCE, style));
    assert.deepEqual(
      [lay('minified'), lay('spaced'), lay('indented')],
      [
        '{"b":[1.50,{},[]],"a":"\\u0041 , :"}',
        '{"b": [1.50, {}, []], "a": "\\u0041 , :"}',
        '{\n  "b": [\n    1.50,\n    {},\n    []\n  ],\n  "a": "\\u0041 , :"\n}',
      ],
    );
  });

  it('is what JSON.stringify writes, of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        assert.equal(applyEdits(text, layOutJson(text, 'minified')), JSON.stringify(value));
        assert.equal(applyEdits(text, layOutJson(text, 'indented')), JSON.stringify(value, undefined, 2));
        assert.deepEqual(printJson(text, 1e6), { text: JSON.stringify(value, undefined, 2), isCut: false });
      }),
    );
  });

  it('is printed as far as it is wanted', () => {
    assert.deepEqual(printJson('[1,2,3]', 8), { text: '[\n  1,\n ', isCut: true });
    assert.equal(printJson(`"${'x'.repeat(100)}"`, 10).text, `"${'x'.repeat(9)}`);
    assert.equal(printJson('['.repeat(1_000_000), 2_000).text.length, 2_000);
  });
});

describe('numbers that readers round', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['9007199254740992', undefined],
    ['9007199254740993', '9007199254740992'],
    ['-12345678901234567891', '-12345678901234567168'],
    ['100000000000000000000', undefined],
    ['0.12345678901234567890', undefined],
    ['1e308', undefined],
    ['1e309', 'Infinity'],
    ['-1E400', '-Infinity'],
    [`1${'0'.repeat(400)}`, 'Infinity'],
  ];
  for (const [literal, rounded] of cases)
    it(literal.slice(0, 30), () => assert.equal(roundedNumber(literal), rounded));
});
