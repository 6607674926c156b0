import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { tokens } from '../../../language/aicl/features/tokens.ts';
import { editAicl, parseAicl } from '../../../language/aicl/parse.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { colouredPieces, openText } from '../../support/shown-text.ts';
import { sized } from '../../support/size.ts';

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['nothing', '', []],
  [
    'values by type',
    '[l:[s:a],[i:-1],[f:1e3],[f:NaN],[b:true],[t:int8:1:00]]',
    [
      'a string',
      '-1 number',
      '1e3 number',
      'NaN number',
      'true enumMember',
      'int8 type',
      '1 number',
      '00 string',
    ],
  ],
  [
    'keys, the type of a message and its tool',
    '[d:[s:msg_type]:[s:tool_call],[s:tool]:[s:sum],[s:params]:[d:[s:tool]:[s:x]]]',
    [
      ...['msg_type property', 'tool_call type', 'tool property', 'sum function'],
      ...['params property', 'tool property', 'x string'],
    ],
  ],
  ['a type that nobody knows', '[s:msg_type]:[s:tool_cal]', ['msg_type property', 'tool_cal string']],
  [
    'container lines',
    '# @agent coder \n  # for people\n#',
    ['#  comment', '@agent decorator', 'coder variable', '# for people comment', '# comment'],
  ],
  [
    'escapes and variables',
    'x [s:a\\u005Db\\c {{v}} {{\\\\u005D]',
    [
      'a string',
      '\\u005D regexp',
      'b\\c  string',
      '{{v}} variable',
      ' {{ string',
      '\\\\ regexp',
      'u005D string',
    ],
  ],
  ['a variable for a number', '[i:{{n}}]', ['{{n}} variable']],
  [
    'a text and data of several lines',
    '[l:[s:one\ntwo],[t:float32:2,3:\n  00000\n  ...]]',
    ['one⏎two string', 'float32 type', '2,3 number', '⏎  00000⏎   string', '... comment'],
  ],
  ['no wrong literals', '[l:[i:4.2],[f:x],[b:True],[t:int9:2x:00],[t:0]]', ['00 string']],
  [
    'messages that are not finished',
    '[d:[s:a]:[i:1\n[d:[s:c]:[b:true',
    ['a property', '1 number', 'c property', 'true enumMember'],
  ],
];

describe('AICL tokens', () => {
  for (const [name, text, expected] of cases)
    it(`of ${name}`, () => assert.deepEqual(colouredPieces(openText('aicl', text)), expected));

  it('name brackets where a line is too long for the grammar, and only there', () => {
    const long = `[s:${'x'.repeat(20_000)}]`;
    const text = `[l:[i:1]]\n[l:[i:2],${long}]\n[d:\n[s:a]:${long}]`;
    const pieces = colouredPieces(openText('aicl', text)).map(piece => piece.replace(/x{3,}/, 'x'));
    assert.deepEqual(pieces, [
      '1 number',
      ...['[l: operator', '[i: operator', '2 number', '] operator'],
      ...['[s: operator', 'x string', '] operator', '] operator'],
      ...['[s: operator', 'a property', '] operator', '[s: operator', 'x string', '] operator', '] operator'],
    ]);
  });

  it('name brackets of short messages on one long line', () => {
    // Longer than the grammar reads: in the gate few messages with long numbers are.
    const [count, digits] = [sized(5_000, 1_200), '1'.repeat(sized(1, 16))];
    const text = `${`[i:${digits}]`.repeat(count)}\n[i:2]`;
    const pieces = colouredPieces(openText('aicl', text));
    assert.deepEqual(pieces.slice(0, 4), ['[i: operator', `${digits} number`, '] operator', '[i: operator']);
    assert.deepEqual([pieces.length, pieces.at(-1)], [3 * count + 1, '2 number']);
  });

  it('of a span are cut to it', () => {
    const text = '[s:a]\n[s:one\ntwo\nthree]\n[s:z]';
    const doc = openText('aicl', text);
    const span = { start: text.indexOf('two'), end: text.indexOf('three') };
    assert.deepEqual(colouredPieces(doc, span), ['two⏎ string']);
    assert.deepEqual(colouredPieces(doc, { start: 3, end: 3 }), []);
    assert.deepEqual(colouredPieces(doc, { start: text.length, end: text.length + 9 }), []);
  });

  it('after an edit cost the message that it touched', () => {
    const message = '[d:[s:msg_type]:[s:result],[s:data]:[s:something]]\n';
    const doc = parseAicl(message.repeat(2_000), DEFAULT_SETTINGS, () => []);
    const span = { start: 0, end: doc.text.length };
    const before = tokens(doc, span);
    const edit = { span: { start: 10 * message.length + 40, end: 10 * message.length + 40 }, newText: '' };
    const edited = editAicl(doc, edit, () => []);
    const read = edited.work.count;
    assert.deepEqual(tokens(edited, span), before);
    assert.ok(edited.work.count > read && edited.work.count - read < 10 * message.length);
  });
});
