import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readPythonLiterals } from '../../../../protocol/src/convert/paste/python-literal.ts';
import { readJsonPieces } from '../../../../protocol/src/convert/text/json-reader.ts';
import { runs } from '../../../support/size.ts';

function json(text: string): string {
  const found = readPythonLiterals(text);
  return found.kind === 'ok' ? found.json : found.problem;
}

/** A value of JSON as Python's repr() writes it. */
function repr(value: unknown): string {
  if (typeof value === 'string') return reprText(value);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, item]) => `${reprText(key)}: ${repr(item)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

function reprText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replace(/[\0-\x1f\x7f]/g, control => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return quote + escaped + quote;
}

describe('Python literals', () => {
  it('are JSON, with their numbers digit by digit', () => {
    assert.equal(
      json(
        `payload = {'a': True, "b": False, 'c': None, 'd': (1, 2,), 'e': [1_000, -0x1F, 0b11, 0o17, 18446744073709551616], # note\n 'f': (3), 'g': 1., 'h': .5, 'i': -1e5, 'j': nan, 'k': -inf, 'l': (),}`,
      ),
      '{"a":true,"b":false,"c":null,"d":[1,2],"e":[1000,-31,3,15,18446744073709551616],"f":3,"g":1.0,"h":0.5,"i":-1e5,"j":NaN,"k":-Infinity,"l":[]}',
    );
  });

  it('are the numbers that Python reads', () => {
    // As `ast.literal_eval` reads them, digit by digit.
    const numbers = [
      ['0_0', '0'],
      ['-0', '0'],
      ['-0x_0', '0'],
      ['0x_1F', '31'],
      ['- 0B1_0', '-2'],
      ['01.5', '1.5'],
      ['0_7.', '7.0'],
      ['-0777e1_0', '-777e10'],
      ['1_0.0_1E+1_0', '10.01E+10'],
      ['00.', '0.0'],
      ['-.0', '-0.0'],
      ['+.5e-0_3', '0.5e-03'],
    ] as const;
    assert.deepEqual(
      numbers.map(([text]) => json(text)),
      numbers.map(([, number]) => number),
    );
    const none = [
      '0x_',
      '0x',
      '0b12',
      '0o8',
      '0x1__0',
      '0x1_',
      '007',
      '1__0',
      '1_',
      '1_.5',
      '1._5',
      '1e_5',
      '1e5_',
      '1_e5',
      '1.5.',
      '1.5.5',
      '1e',
      '1e+',
      '1e5.0',
      '12ab',
    ];
    assert.deepEqual(
      none.map(text => json(`[${text}]`)),
      none.map(text => `This Python text cannot be pasted: line 1: '${text}' is no number in Python`),
    );
  });

  it('have texts in all quotes', () => {
    assert.equal(
      json(
        `['it''s', "a\\tb", r'\\d+', u'\\u00e9', """two\nlines "quoted" """, 'a\\q', '\\101\\x42\\U0001F600', 'c\\\nd']`,
      ),
      JSON.stringify(['its', 'a\tb', '\\d+', 'é', 'two\nlines "quoted" ', 'a\\q', 'AB😀', 'cd']),
    );
  });

  it('come several in a text, and say what changed', () => {
    assert.deepEqual(readPythonLiterals(`{'a': 1}\n{2: (3,), True: 4}\n`), {
      kind: 'ok',
      json: '{"a":1}\n{"2":[3],"true":4}',
      remarks: ['Keys that are no texts became texts', 'Tuples became lists'],
    });
  });

  it('say why they are none, and where', () => {
    const texts = [
      `{'a': b'x'}`,
      `{'a':\n f'{x}'}`,
      `{1, 2}`,
      `{'a': 1j}`,
      `{'a': datetime.now()}`,
      `{'a': 'x`,
      `{'a' 1}`,
      `[1 2]`,
      `[1,`,
      `{'a': '\\N{DEGREE SIGN}'}`,
      '['.repeat(300),
      '',
    ];
    const where = (line: number): string => `This Python text cannot be pasted: line ${line}: `;
    assert.deepEqual(texts.map(json), [
      `${where(1)}bytes have no place in a message; decode them first`,
      `${where(2)}an f-string is a text only once Python has run it`,
      `${where(1)}a set has no place in a message; write a list`,
      `${where(1)}a complex number has no place in a message`,
      `${where(1)}'datetime.now' is a name or a call: only values can be pasted`,
      `${where(1)}the quote ' is not closed`,
      `${where(1)}':' is missing`,
      `${where(1)}',' is missing`,
      `${where(1)}a value is missing`,
      `${where(1)}\\N{…} names a character: write the character itself`,
      `${where(1)}more than 200 levels`,
      'There is no value in this text',
    ]);
  });

  it('come back from what Python prints', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), value => {
        const found = json(repr(value));
        assert.deepEqual(JSON.parse(found), JSON.parse(JSON.stringify(value)), found);
      }),
    );
  });

  it('are whole JSON, whatever the text, or none', () => {
    const unit = fc.constantFrom(...`ab017 '"\\{}[](),:#.-+eExoXjJ_\n`, 'None', 'True', '"""');
    const number = fc.string({ unit: fc.constantFrom(...'01789_.eE+-xXobBaFj '), maxLength: 8 });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit }), number), text => {
        const found = readPythonLiterals(text);
        if (found.kind === 'fault') return;
        const { pieces, faults } = readJsonPieces(found.json);
        assert.deepEqual(
          faults.filter(({ kind }) => kind === 'dropped'),
          [],
          found.json,
        );
        assert.equal(pieces.length, found.json.split('\n').length);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
