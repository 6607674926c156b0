import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { printJson } from '../../../../language/values/json-printer.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import {
  readNotation,
  writeBigInt,
  writeKey,
  writeNull,
  writeNonFinite,
  writeTensorNotation,
} from '../../../../language/values/notation.ts';
import { TextSink } from '../../../../language/values/text-layer.ts';
import {
  boolValue,
  dictValue,
  floatValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type DictValue,
  type Value,
} from '../../../../core/values/value.ts';
import { ROOT } from '../../../../scripts/root.ts';

const one = (key: string, value: Value): DictValue => dictValue([{ key, value }]);

const tensorDict = (shape: readonly number[], base64: string, dtype = 'uint8'): DictValue =>
  dictValue([
    { key: 'dtype', value: textValue(dtype) },
    { key: 'shape', value: listValue(shape.map(intValue)) },
    { key: 'base64', value: textValue(base64) },
  ]);

describe('notation', () => {
  it('represents values that a text does not have, both ways', () => {
    const pairs: readonly (readonly [DictValue, Value, DictValue])[] = [
      [writeBigInt(2n ** 64n), intValue(2n ** 64n), one('$int', textValue('18446744073709551616'))],
      [writeBigInt(-(2n ** 53n)), intValue(-(2n ** 53n)), one('$int', textValue('-9007199254740992'))],
      [writeNonFinite(NaN), floatValue(NaN), one('$float', textValue('nan'))],
      [writeNonFinite(Infinity), floatValue(Infinity), one('$float', textValue('inf'))],
      [writeNonFinite(-Infinity), floatValue(-Infinity), one('$float', textValue('-inf'))],
      [writeNull(), NULL, one('$null', boolValue(true))],
      [
        writeTensorNotation('uint8:2:009'),
        { kind: 'tensor', source: 'uint8:2:009' },
        one('$tensor', tensorDict([2], 'AAE=')),
      ],
      [
        writeTensorNotation('float32:2,3:9Yq<Q*'),
        { kind: 'tensor', source: 'float32:2,3:9Yq<Q*' },
        one('$tensor', one('source', textValue('float32:2,3:9Yq<Q*'))),
      ],
    ];
    for (const [written, value, expected] of pairs) {
      assert.deepEqual(written, expected);
      assert.deepEqual(readNotation(written), value);
    }
  });

  it('gives a new object for each null, whose place can be distinguished from others', () => {
    assert.notEqual(readNotation(writeNull()), readNotation(writeNull()));
  });

  it('is not seen in a dictionary that only looks like it', () => {
    const strange: readonly DictValue[] = [
      one('$int', intValue(5)),
      one('$int', textValue('-0')),
      one('$int', textValue('007')),
      one('$int', textValue('')),
      one('$int', textValue('1.0')),
      one('$int', textValue('9'.repeat(100_001))),
      one('$float', textValue('NaN')),
      one('$float', floatValue(1)),
      one('$null', boolValue(false)),
      one('$null', NULL),
      one('$tensor', textValue('uint8:2:009')),
      one('$tensor', tensorDict([3], 'AAE=')),
      one('$tensor', tensorDict([2], 'AAE')),
      one('$tensor', tensorDict([2], 'AAF=')),
      one('$tensor', tensorDict([-2], 'AAE=')),
      one('$tensor', tensorDict([2], 'AAE=', 'int24')),
      one('$tensor', dictValue([...tensorDict([2], 'AAE=').entries, { key: 'more', value: NULL }])),
      one('$other', textValue('1')),
      one('int', textValue('1')),
      dictValue([
        { key: '$int', value: textValue('1') },
        { key: 'b', value: textValue('2') },
      ]),
      dictValue([]),
    ];
    for (const dict of strange) assert.equal(readNotation(dict), dict);
  });

  it('gives a lookalike one dollar more, and takes it off', () => {
    for (const key of ['$int', '$$int', '$$$tensor', '$null', '$float']) {
      const dict = one(key, textValue('1'));
      assert.equal(writeKey(dict, key), `$${key}`);
      assert.deepEqual(readNotation(one(`$${key}`, textValue('1'))), dict);
    }
    const two = dictValue([
      { key: '$int', value: NULL },
      { key: 'b', value: NULL },
    ]);
    assert.equal(writeKey(two, '$int'), '$int');
    assert.equal(writeKey(one('$other', NULL), '$other'), '$other');
  });
});

describe('docs/json-notation.md', () => {
  const text = readFileSync(join(ROOT, 'docs/json-notation.md'), 'utf8');

  it('has examples that are read, and printed as they stand', () => {
    const examples = [...text.matchAll(/^```json\n(.*?)\n```$/gms)].map(([, example = '']) => example);
    assert.equal(examples.length, 3);
    for (const example of examples) {
      const { pieces, faults } = readJsonPieces(example);
      assert.deepEqual([pieces.length, faults], [1, []]);
      const sink = new TextSink();
      printJson(pieces[0]?.value ?? NULL, sink, 'pretty');
      assert.equal(sink.toString(), example);
    }
  });

  it('says what the notations stand for', () => {
    const [example = ''] = /(?<=^```json\n).*?(?=\n```$)/ms.exec(text) ?? [];
    assert.deepEqual(readJsonPieces(example).pieces[0]?.value, {
      kind: 'dict',
      entries: [
        { key: 'visits', value: intValue(2n ** 64n) },
        { key: 'ratio', value: floatValue(NaN) },
        { key: 'lowest', value: floatValue(-Infinity) },
        { key: 'pixels', value: { kind: 'tensor', source: 'uint8:2,2:009C6' } },
        { key: 'elided', value: { kind: 'tensor', source: 'float32:2,3:...' } },
        { key: 'lookalike', value: one('$int', textValue('1')) },
      ],
    });
    for (const strange of ['{"$int":5}', '{"$int":"007"}', '{"$int":"1","unit":"m"}'])
      assert.equal(readJsonPieces(strange).pieces[0]?.value.kind, 'dict');
  });
});
