import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hints } from '../../../language/aicl/features/hints.ts';
import type { AiclDocument } from '../../../language/aicl/document.ts';
import { editAicl, parseAicl } from '../../../language/aicl/parse.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { encodeBase85 } from '../../../tensor/base85.ts';
import { openText, textWithHints } from '../../support/shown-text.ts';
import { itAtFullSize, sized } from '../../support/size.ts';

/** Data that are faulty or left out are only measured. */
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
  [
    'the characters that escapes mean, in texts and keys alone',
    '[d:[s:k\\u005D]:[s:a[1\\u005d \\\\u005D \\\\\\u005Db\\u000D],[s:C:\\]:[i:1]] u005D \\u005D',
    '[d:[s:k\\u005D«]»]:[s:a[1\\u005d«]» \\\\u005D \\\\\\u005D«]»b\\u000D«CR»],[s:C:\\]:[i:1]] u005D \\u005D',
  ],
  ['nothing in nothing', '', ''],
];

describe('AICL hints', () => {
  for (const [name, text, expected] of cases)
    it(`for ${name}`, () => assert.equal(textWithHints(openText('aicl', text)), expected || text));

  const sound: readonly (readonly [string, string, string, readonly string[]])[] = [
    [
      'numbers',
      '[t:float32:2,2:nwgounweQZ00000004kL]',
      '16 bytes · −1.2…3.4 · mean 0.8',
      ['min -1.2, max 3.4', 'mean 0.8, std 1.691', 'NaN 0, Inf 0, zeros 1'],
    ],
    [
      'half floats',
      '[t:float16:3:|9b$q000]',
      '6 bytes · −0.5…65504 · mean 21835',
      // The shortest text that reads back to 65504 as a half float, as NumPy writes it.
      ['min -0.5, max 65500.0', 'mean 21835, std 30879', 'NaN 0, Inf 0, zeros 1'],
    ],
    [
      'integers that no double holds',
      '[t:int64:3:000000001h|NsC0|NsAg{{R2~|NsAg]',
      '24 bytes · −9.223e18…9.223e18 · mean 3.074e18',
      ['min -9223372036854775808, max 9223372036854775807', 'mean 3.074e18, std 8.696e18', 'zeros 0'],
    ],
    [
      'a shape in quotation marks, data that are wrapped',
      "[t:uint8:'2,2':00\n  9CJ]",
      '4 bytes · 0…16 · mean 4.75',
      ['min 0, max 16', 'mean 4.75, std 6.534', 'zeros 1'],
    ],
    ['truth', '[t:bool:4:00992]', '4 bytes · 2 of 4 true', ['true 2, false 2']],
    [
      'complex numbers, by their magnitudes',
      '[t:complex64:2:002Nh004kM0000000000]',
      '16 bytes · magnitude 0…5 · mean 2.5',
      [
        'of the magnitudes min 0 (0.0+0.0i), max 5 (3.0+4.0i)',
        'of the magnitudes mean 2.5, std 2.5',
        'NaN 0, Inf 0, zeros 1',
      ],
    ],
    [
      'a single value',
      '[t:float32::+Yd=V]',
      '4 bytes · 3.142',
      ['min 3.1415927, max 3.1415927', 'mean 3.142, std 0', 'NaN 0, Inf 0, zeros 0'],
    ],
    [
      'one value many times',
      '[t:float32:2:&CJX_&CJX_]',
      '8 bytes · all 0.1',
      ['min 0.1, max 0.1', 'mean 0.1, std 0', 'NaN 0, Inf 0, zeros 0'],
    ],
    [
      'what is not a number',
      '[t:float32:4:004kL006*$004mh004l0]',
      '16 bytes · finite 1 · 1 NaN · 2 Inf',
      ['min 1.0, max 1.0', 'mean 1, std 0', 'NaN 1, Inf 2 (1 negative), zeros 0'],
    ],
    [
      'nothing that is a number',
      '[t:float32:2:006*$006*$]',
      '8 bytes · no finite number · 2 NaN',
      ['no finite number', 'NaN 2, Inf 0, zeros 0'],
    ],
    ['no elements', '[t:float64:0,5:]', '0 elements · 0 bytes', []],
  ];
  for (const [name, text, label, lines] of sound) {
    it(`tell of ${name}`, () => {
      const [hint, ...others] = openText('aicl', text).hints({ start: 0, end: text.length });
      const [, ...reported] = hint?.tooltip.split('\n') ?? [];
      assert.deepEqual([hint?.label, reported, others], [label, lines, []]);
    });
  }

  function hintOf(dtype: string, count: number, payload: string): readonly string[] {
    const text = `[t:${dtype}:${count}:${payload}]`;
    return openText('aicl', text)
      .hints({ start: 0, end: 20 })
      .flatMap(({ label, tooltip }) => [label, ...tooltip.split('\n').slice(1)]);
  }

  itAtFullSize('tell what a sample of a large tensor of floats says, and that it is one', () => {
    // Four zeros and four ones in turn.
    const wave = (length: number): string =>
      encodeBase85(new Uint8Array(Float32Array.from({ length }, (_, at) => (at >> 2) & 1).buffer));
    assert.deepEqual(hintOf('float32', 262_144, wave(262_144)), [
      '1 MiB · 0…1 · mean 0.5',
      ...['min 0.0, max 1.0', 'mean 0.5, std 0.5', 'NaN 0, Inf 0, zeros 131,072'],
    ]);
    assert.deepEqual(hintOf('float32', 262_152, wave(262_152)), [
      '1 MiB · ≈ 0…1 · mean 0.5',
      'a sample of 65,536 of 262,152 elements, evenly spread, has',
      ...['min 0.0, max 1.0', 'mean 0.5, std 0.5', 'NaN 0, Inf 0, zeros 32,768'],
    ]);
    assert.deepEqual(hintOf('float16', 300_000, '006*$'.repeat(150_000)), [
      '586 KiB · ≈ finite 0 · has NaN',
      'a sample of 65,536 of 300,000 elements, evenly spread, has',
      ...['min 0.0, max 0.0', 'mean 0, std 0', 'NaN 32,768, Inf 0, zeros 32,768'],
    ]);
  });

  it('tell what a sample of a large tensor says, and that it is one', () => {
    const noughts = (count: number): string => '0'.repeat((count / 4) * 5);
    assert.deepEqual(hintOf('bool', 262_144, noughts(262_144)), [
      '256 KiB · 0 of 262,144 true',
      'true 0, false 262,144',
    ]);
    assert.deepEqual(hintOf('bool', 300_000, noughts(300_000)), [
      '293 KiB · ≈ 0 % true',
      'a sample of 65,536 of 300,000 elements, evenly spread, has',
      'true 0, false 65,536',
    ]);
  });

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
    const doc = openText('aicl', tensor.repeat(sized(3_000, 1_010)));
    const lines = { start: tensor.length * 10, end: tensor.length * 12 };
    assert.deepEqual(
      doc.hints(lines).map(hint => hint.offset),
      [10, 11].map(line => line * tensor.length + '[t:int8:1,1:'.length),
    );
    assert.equal(doc.hints({ start: 0, end: doc.text.length }).length, 1_000);
  });
});

describe('AICL hints of much data', () => {
  const edit = (doc: AiclDocument, at: number, newText: string): AiclDocument =>
    editAicl(doc, { span: { start: at, end: at }, newText }, () => []);

  /** What the hints of a document read, and what they say. */
  function ask(doc: AiclDocument): readonly [number, readonly string[]] {
    const before = doc.work.count;
    const labels = hints(doc, { start: 0, end: 1_000 }).map(({ label }) => label);
    return [doc.work.count - before, labels];
  }

  const tensor = (groups: number): string => `[t:uint8:${groups * 4}:${'00000'.repeat(groups)}]`;
  for (const [name, groups, head, tail] of [
    ['in a long message', 40_000, '[d:[s:data]:', ',\n[s:note]:[s:a]]'],
    ['that stands alone', 40_000, '', ''],
    ['in a short message', 10_000, '[d:[s:data]:', ']'],
  ] as const) {
    it(`are found once of a tensor ${name}, and again when its data change`, () => {
      const text = `${head}${tensor(groups)}${tail}\n[i:1]\n[i:1]\n`;
      const opened = parseAicl(text, DEFAULT_SETTINGS, () => []);
      const [first, labels] = ask(opened);
      assert.deepEqual(labels, [`${Math.round((groups * 4) / 1024)} KiB · all 0`]);
      const [again, same] = ask(opened);
      assert.deepEqual([first - again, same], [groups * 5, labels]);

      const beside = edit(opened, text.length - 3, '2');
      const [after, stillSame] = ask(beside);
      assert.deepEqual([after, stillSame], [again, labels]);

      const changed = edit(beside, text.indexOf('00000') + 5_000, '\n');
      const [anew, sameAgain] = ask(changed);
      assert.deepEqual(sameAgain, labels);
      assert.ok(anew >= groups * 5);
    });
  }

  it('are kept of a long tensor while its message changes', () => {
    const text = `[d:[s:data]:${tensor(40_000)},\n[s:note]:[s:a]]\n`;
    const opened = parseAicl(text, DEFAULT_SETTINGS, () => []);
    const [, labels] = ask(opened);
    assert.deepEqual(ask(edit(opened, text.length - 4, 'x')), [0, labels]);
    assert.deepEqual(ask(edit(opened, '[d:'.length, '\n')), [0, labels]);
  });

  it('take no reading of a long message without tensors in the range', () => {
    const item = '[d:[s:id]:[i:123],[s:name]:[s:agent of the team]],\n';
    const text = `[d:[s:data]:[l:\n${item.repeat(sized(20_000, 2_800))}[t:uint8:1:00]]]`;
    const doc = parseAicl(text, DEFAULT_SETTINGS, () => []);
    const before = doc.work.count;
    const start = sized(500_000, 70_000);
    assert.deepEqual(hints(doc, { start, end: start + 4_000 }), []);
    assert.equal(doc.work.count, before);
  });

  /** What one answer after another says of four tensors. */
  function fourTensors(groups: number): () => readonly string[] {
    const doc = openText('aicl', `${tensor(groups)}\n`.repeat(4));
    return () =>
      doc
        .hints({ start: 0, end: doc.text.length })
        .map(({ label, tooltip }) => `${label} ${tooltip.split('\n').at(-1)}`);
  }

  it('are complete if one answer can hold them', () => {
    const known = '31 KiB · all 0 zeros 32,000';
    assert.deepEqual(fourTensors(8_000)(), [known, known, known, known]);
  });

  itAtFullSize('are partial if they are too much for one answer, and then complete', () => {
    const ask = fourTensors(800_000);
    const known = '3.1 MiB · ≈ all 0 zeros 65,536';
    const later = '3.1 MiB Too much data for one response: the next one includes its statistics';
    assert.deepEqual(ask(), [known, known, known, later]);
    assert.deepEqual(ask(), [known, known, known, known]);
  });
});
