import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { tokens } from '../../../language/aicf/features/tokens.ts';
import { editAicf, parseAicf } from '../../../language/aicf/parse.ts';
import { DEFAULT_SETTINGS } from '../../../core/catalog/settings.ts';
import { colouredPieces, openText } from '../../support/shown-text.ts';

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['nothing', '', []],
  [
    'a call',
    'CALL|a.b|x\\|y\\z|3|true|{{v}}|\nLIST\n',
    [
      ...[
        'CALL keyword',
        'a.b function',
        'x string',
        '\\| regexp',
        'y\\z string',
        '3 number',
        'true enumMember',
      ],
      ...['{{v}} variable', 'LIST keyword'],
    ],
  ],
  [
    'replies',
    'Response: OK|42\nERR|404|No\\n1\nTOOLS|a|b\nTOOL|t|what: it|n:string?|m:text|o\nSTREAM|a|b\nEND',
    [
      ...['Response: comment', 'OK keyword', '42 number'],
      ...['ERR keyword', '404 number', 'No string', '\\n regexp', '1 string'],
      ...['TOOLS keyword', 'a function', 'b function'],
      ...[
        'TOOL keyword',
        't function',
        'what: it string',
        'n parameter',
        'string type',
        'm parameter',
        'o parameter',
      ],
      ...['STREAM keyword', 'a|b string', 'END keyword'],
    ],
  ],
  [
    'JSON in fields, with the escapes of both',
    'CALL|t|{"a":[1,"x\\\\"y"],"b":null}|[1,\nOK|{"p":"C:\\\\\\\\","q":"{',
    [
      ...['CALL keyword', 't function', '"a" property', '1 number', '"x string', '\\\\" regexp', 'y" string'],
      ...['"b" property', 'null enumMember', '1 number'],
      ...[
        'OK keyword',
        '"p" property',
        '"C: string',
        '\\\\\\\\ regexp',
        '" string',
        '"q" property',
        '"{ string',
      ],
    ],
  ],
  [
    'container lines',
    ' # @agent x y\n# words\n```aicf\n',
    ['#  comment', '@agent decorator', 'x y variable', '# words comment', '```aicf comment'],
  ],
  ['a command of the future', 'LIST\nPING|1', ['LIST keyword', 'PING keyword', '1 number']],
  [
    'no command in the wrong case, no wrong code',
    'call|t\nERR|4x|m',
    ['t function', 'ERR keyword', 'm string'],
  ],
  ['no credential', 'CALL|t|AUTH:abc', ['CALL keyword', 't function']],
  ['no foreign text', 'LIST\nwords', ['LIST keyword']],
  [
    'the headers of a context file',
    '\ufeff@NOTES:id:HIGH \nplain|text\n12|@OTHER\n@NOTES_END',
    ['NOTES namespace', ':id:HIGH string', '12 number', 'OTHER namespace', 'NOTES_END namespace'],
  ],
  [
    'the rows of a context file',
    '@STATE\n1|a=b|next_step=x y=z|2\nkey-2.c=1=2\n# no=key\n =b\n|d=',
    ['STATE namespace', '1 number', 'a parameter', 'next_step parameter', 'key-2.c parameter', 'd parameter'],
  ],
  ['nothing in the JSON form of a context file', '{"a":1,\n"@NOTES":\n2}', []],
];

describe('AICF tokens', () => {
  for (const [name, text, expected] of cases)
    it(`of ${name}`, () => assert.deepEqual(colouredPieces(openText('aicf', text)), expected));

  it('name delimiters where a line is too long for the grammar, and only there', () => {
    const text = `CALL|t|1\nCALL|t|${'x'.repeat(20_000)}`;
    const pieces = colouredPieces(openText('aicf', text)).map(piece => piece.replace(/x{3,}/, 'x'));
    assert.deepEqual(pieces, [
      ...['CALL keyword', 't function', '1 number'],
      ...['CALL keyword', '| operator', 't function', '| operator', 'x string'],
    ]);
  });

  it('of a line that is longer than a chunk are read as far as the span goes', () => {
    const work = { count: 0 };
    const doc = parseAicf(`LIST\nOK|${'x'.repeat(1_000_000)}\nEND`, DEFAULT_SETTINGS, work);
    work.count = 0;
    assert.equal(tokens(doc, { start: 0, end: 1_000 }).length, 4 * 3);
    assert.ok(work.count < 3_000, `${work.count}`);
    assert.equal(tokens(doc, { start: doc.text.length - 3, end: doc.text.length }).length, 3);
  });

  it('after an edit cost the block that it touched', () => {
    const work = { count: 0 };
    const pairs = 20_000;
    const doc = parseAicf('CALL|math.add|19|23\nOK|42\n'.repeat(pairs), DEFAULT_SETTINGS, work);
    const span = { start: 0, end: doc.text.length };
    const before = tokens(doc, span);
    const middle = 26 * (pairs / 2) + 6;
    const edited = editAicf(doc, { span: { start: middle, end: middle }, newText: '' });
    work.count = 0;
    assert.deepEqual(tokens(edited, span), before);
    assert.ok(work.count > 0 && work.count < 40_000, `${work.count}`);
  });
});
