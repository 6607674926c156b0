import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { PartPrinter, printForAgent, printJson } from '../../../../language/values/json-printer.ts';
import { readJsonPieces } from '../../../../language/values/json-reader.ts';
import { TextSink, type Layout, type Places } from '../../../../language/values/text-layer.ts';
import {
  boolValue,
  dictValue,
  floatValue,
  intValue,
  listValue,
  NULL,
  textValue,
  type Value,
} from '../../../../core/values/value.ts';
import { isSameValue } from '../../../../protocols/message/same-value.ts';
import { anyValue } from '../../../support/value-arbitrary.ts';
import { runs, sized } from '../../../support/size.ts';

const LAYOUTS: readonly Layout[] = ['pretty', 'compact'];

function print(value: Value, layout: Layout, indent?: number): string {
  const sink = new TextSink();
  printJson(value, sink, layout, indent);
  return sink.toString();
}

const MESSAGE = dictValue([
  { key: 'a', value: intValue(1) },
  { key: 'empty', value: listValue([dictValue([]), listValue([])]) },
  { key: 'row', value: listValue([intValue(1), floatValue(2), floatValue(-0)]) },
  { key: 'big', value: intValue(2n ** 53n) },
  { key: 'odd', value: listValue([floatValue(NaN), floatValue(-Infinity)]) },
  { key: 'tensor', value: { kind: 'tensor', source: 'uint8:2:009' } },
  { key: 'words', value: listValue([textValue('a'), boolValue(true), NULL]) },
  { key: 'lookalike', value: dictValue([{ key: '$int', value: textValue('1') }]) },
]);

const PRETTY = `{
  "a": 1,
  "empty": [
    {},
    []
  ],
  "row": [1, 2.0, -0.0],
  "big": { "$int": "9007199254740992" },
  "odd": [
    { "$float": "nan" },
    { "$float": "-inf" }
  ],
  "tensor": { "$tensor": { "dtype": "uint8", "shape": [2], "base64": "AAE=" } },
  "words": [
    "a",
    true,
    null
  ],
  "lookalike": {
    "$$int": "1"
  }
}`;

const COMPACT =
  '{"a":1,"empty":[{},[]],"row":[1,2.0,-0.0],"big":{"$int":"9007199254740992"},' +
  '"odd":[{"$float":"nan"},{"$float":"-inf"}],' +
  '"tensor":{"$tensor":{"dtype":"uint8","shape":[2],"base64":"AAE="}},' +
  '"words":["a",true,null],"lookalike":{"$$int":"1"}}';

describe('printing JSON', () => {
  it('lays values out for people, or without blanks', () => {
    assert.equal(print(MESSAGE, 'pretty'), PRETTY);
    assert.equal(print(MESSAGE, 'compact'), COMPACT);
    assert.equal(print(listValue([NULL]), 'pretty', 2), '[\n      null\n    ]');
  });

  it('puts numbers on one line up to 80 characters', () => {
    const row = (count: number): Value => listValue(Array.from({ length: count }, () => intValue(7)));
    assert.equal(print(row(26), 'pretty'), `[${Array(26).fill('7').join(', ')}]`);
    assert.equal(print(row(27), 'pretty'), `[\n${Array(27).fill('  7').join(',\n')}\n]`);
    const wide = listValue(Array.from({ length: 16 }, () => intValue(123)));
    assert.equal(print(wide, 'pretty').length, 80);
    const wider = listValue([...Array.from({ length: 15 }, () => intValue(123)), intValue(1_234)]);
    assert.match(print(wider, 'pretty'), /^\[\n/);
  });

  it('prints floats as AICL does', () => {
    const floats = [3, -0, 0, 0.1, 1e20, 1e21, 1e-7, 5e-324, 1.7976931348623157e308];
    const texts = ['3.0', '-0.0', '0.0', '0.1', '100000000000000000000.0', '1e+21', '1e-7', '5e-324'];
    assert.deepEqual(
      floats.map(float => print(floatValue(float), 'compact')),
      [...texts, '1.7976931348623157e+308'],
    );
  });

  it('escapes what JSON.stringify escapes', () => {
    const texts = ['"\\/\b\f\n\r\t\u0000\u001f\u007f\u2028', '\ud800', 'a\udc00b', '😀', 'é界'];
    for (const text of texts) assert.equal(print(textValue(text), 'compact'), JSON.stringify(text));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), text =>
        assert.equal(print(textValue(text), 'compact'), JSON.stringify(text)),
      ),
      { numRuns: runs(1_000) },
    );
  });

  it('is JSON, and reads back to the same value', () => {
    fc.assert(
      fc.property(anyValue, fc.constantFrom(...LAYOUTS), fc.nat(3), (value, layout, indent) => {
        const text = print(value, layout, indent);
        assert.doesNotThrow(() => void JSON.parse(text), text);
        const { pieces, faults } = readJsonPieces(text);
        assert.deepEqual([pieces.length, faults], [1, []]);
        const read = pieces[0]?.value ?? NULL;
        assert.ok(isSameValue(read, value), text);
        assert.deepEqual(pieces[0]?.span, { start: 0, end: text.length });
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('keeps the places that reading finds', () => {
    const list = (value: Value, places: Places): readonly (readonly [string, number, number])[] => {
      const place = places.get(value);
      const inner =
        value.kind === 'list'
          ? value.items
          : value.kind === 'dict'
            ? value.entries.map(entry => entry.value)
            : [];
      return [
        [value.kind, place?.start ?? -1, place?.end ?? -1],
        ...inner.flatMap(each => list(each, places)),
      ];
    };
    fc.assert(
      fc.property(anyValue, fc.constantFrom(...LAYOUTS), (value, layout) => {
        const written: Places = new Map();
        const sink = new TextSink(written);
        sink.write('before ');
        printJson(value, sink, layout);
        const read: Places = new Map();
        const [piece] = readJsonPieces(sink.toString().replace('before ', '       '), read).pieces;
        assert.deepEqual(list(value, written), list(piece?.value ?? NULL, read));
      }),
    );
  });

  it('prints what is nested however deep', () => {
    const count = sized(100_000);
    let value: Value = NULL;
    for (let depth = 0; depth < count; depth++)
      value = depth % 2 === 0 ? listValue([value]) : dictValue([{ key: 'a', value }]);
    assert.equal(print(value, 'compact').length, count * 4 + 4);
    assert.match(print(value, 'pretty'), /^\{\n {2}"a": \[\n {4}\{/);
  });

  it('prints a notation at the deepest level that is read', () => {
    let value: Value = { kind: 'tensor', source: 'uint8:2:009' };
    for (let depth = 0; depth < 200; depth++) value = listValue([value]);
    for (const layout of LAYOUTS) {
      const { pieces, faults } = readJsonPieces(print(value, layout));
      assert.deepEqual(faults, []);
      assert.deepEqual(pieces[0]?.value, value);
    }
  });

  it('prints the same in parts', () => {
    const printer = new PartPrinter();
    const same = (value: Value): void => assert.equal(printer.print(value).join(''), printForAgent(value));
    fc.assert(
      fc.property(anyValue, value => same(value)),
      { numRuns: runs(200) },
    );
    const ends = ['', '"', '\\', '\0', '\u001f', '\n', 'é中🙂', '\ud83d', '\ude42', '\u2028'];
    for (const end of ends) {
      const long = textValue(`${'The quick brown fox. '.repeat(100)}${end}`);
      const members = dictValue([
        { key: '\0', value: textValue('\0') },
        { key: 'text', value: long },
        { key: 'items', value: listValue([long, intValue(2n ** 70n), textValue(`${long.text}.`), long]) },
      ]);
      for (const value of [long, members]) same(value);
    }
  });

  it('prints a long text as a part of its own', () => {
    const text = 'x'.repeat(10_000);
    const parts = new PartPrinter().print(dictValue([{ key: 'a', value: textValue(text) }]));
    assert.deepEqual(parts, ['{"a":', '"', text, '"', '}']);
  });
});
