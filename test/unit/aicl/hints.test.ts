import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { openText, textWithHints } from '../../support/shown-text.ts';

const cases: readonly (readonly [string, string, string])[] = [
  ['a matrix', '[t:float32:128,256:00]', '[t:float32:128,256:«32,768 elements · 128 KiB»00]'],
  ['a vector, whose shape is its length', '[t:int8:1023:00]', '[t:int8:1023:«1,023 bytes»00]'],
  ['a single value', '[t:bool::0]', '[t:bool::«1 element · 1 byte»0]'],
  ['no data', '[t:float64:0,5:]', '[t:float64:0,5:«0 elements · 0 bytes»]'],
  ['a size that is no whole number', '[t:uint8:1600000:0]', '[t:uint8:1600000:«1.5 MiB»0]'],
  ['more than there is', `[t:float64:${'9007199254740991,'.repeat(400)}1:0]`, ''],
  [
    'tensors inside of messages, data that is wrapped or left out',
    '[d:[s:data]:[l:[t:int8:1,2:\n00],\n[i:1],[t:int8:2,2:...]]]\n[s:a]:[t:int8:1,1:0]',
    '[d:[s:data]:[l:[t:int8:1,2:«2 elements · 2 bytes»\n00],\n[i:1],[t:int8:2,2:«4 elements · 4 bytes»...]]]\n[s:a]:[t:int8:1,1:«1 element · 1 byte»0]',
  ],
  ['nothing that it cannot read', '[l:[t:int9:2:0],[t:int8:2x:0],[t:0],[s:[t:int8:1:0]]', ''],
  [
    'a message that is not finished',
    '[d:[s:a]:[t:int16:2,2:',
    '[d:[s:a]:[t:int16:2,2:«4 elements · 8 bytes»',
  ],
  ['nothing in nothing', '', ''],
];

describe('AICL hints', () => {
  for (const [name, text, expected] of cases)
    it(`for ${name}`, () => assert.equal(textWithHints(openText('aicl', text)), expected || text));

  it('say more under the pointer', () => {
    assert.deepEqual(openText('aicl', '[t:float32:2,3:...]').hints({ start: 0, end: 19 }), [
      {
        offset: 15,
        label: '6 elements · 24 bytes',
        tooltip: '6 elements of 4 bytes each: 24 bytes, 30 characters of Base85',
        kind: 'type',
      },
    ]);
  });

  it('stand in the range that was asked for, and are a thousand at most', () => {
    const tensor = '[t:int8:1,1:00]\n';
    const doc = openText('aicl', tensor.repeat(3_000));
    const lines = { start: tensor.length * 10, end: tensor.length * 12 };
    assert.deepEqual(
      doc.hints(lines).map(hint => hint.offset),
      [10, 11].map(line => line * tensor.length + '[t:int8:1,1:'.length),
    );
    assert.equal(doc.hints({ start: 0, end: doc.text.length }).length, 1_000);
  });
});
