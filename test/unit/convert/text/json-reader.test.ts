import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { compactJson } from '../../../../language/values/json-printer.ts';
import { readJsonPieces, readJsonValue, readStrictJson } from '../../../../language/values/json-reader.ts';
import { printFloat } from '../../../../core/text/exact-decimal.ts';
import { isSse } from '../../../../core/text/event-stream.ts';
import type { Places } from '../../../../language/values/text-layer.ts';
import { NULL, textValue, type Value } from '../../../../core/values/value.ts';
import { anyValue } from '../../../support/value-arbitrary.ts';
import { runs, sized } from '../../../support/size.ts';

/** What was read of a text: its values printed again, and of each fault its kind, the text at it and its message. */
function read(text: string): {
  readonly values: readonly string[];
  readonly faults: readonly (readonly string[])[];
} {
  const { pieces, faults } = readJsonPieces(text);
  return {
    values: pieces.map(({ value }) => compactJson(value)),
    faults: faults.map(({ kind, span, message }) => [kind, text.slice(span.start, span.end), message]),
  };
}

const whole = (...values: readonly string[]): ReturnType<typeof read> => ({ values, faults: [] });

const valueOf = (text: string): Value => readJsonPieces(text).pieces[0]?.value ?? NULL;

/** The value that JSON.parse gives for what a value was read from. */
function plain(value: Value): unknown {
  switch (value.kind) {
    case 'text':
      return value.text;
    case 'int':
      return Number(value.int);
    case 'float':
      return value.float;
    case 'bool':
      return value.bool;
    case 'list':
      return value.items.map(plain);
    case 'dict':
      return Object.fromEntries(value.entries.map(entry => [entry.key, plain(entry.value)]));
    default:
      return null;
  }
}

describe('reading JSON', () => {
  it('reads any short float as JSON.parse does, and keeps the literal of one that is printed otherwise', () => {
    const digits = (most: number): fc.Arbitrary<string> =>
      fc.stringMatching(/^[0-9]*$/, { maxLength: most }).map(text => text.slice(0, most));
    const literal = fc
      .tuple(fc.constantFrom('', '-'), digits(17), digits(17), fc.constantFrom('', '', 'e2', 'E-7'))
      .map(
        ([sign, whole, places, power]) =>
          `${sign}${whole.replace(/^0+/, '') || '0'}.${places || '0'}${power}`,
      );
    fc.assert(
      fc.property(literal, source => {
        const value = valueOf(source);
        assert.ok(value.kind === 'float', source);
        assert.ok(Object.is(value.float, JSON.parse(source)), source);
        assert.equal(value.literal ?? printFloat(value.float), source);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('finds each end and each odd character of a long text', () => {
    const LONG = 2000;
    const codes = Array.from({ length: 0x22 }, (_, code) => code);
    for (const code of [...codes, 0x5c, 0x7f, 0xe9, 0x2028, 0x4e16])
      for (const at of [0, 1, 255, 1024, LONG]) {
        const text = `${'x'.repeat(at)}${String.fromCharCode(code)}${'y'.repeat(LONG - at)}`;
        const printed = JSON.stringify(text);
        assert.deepEqual(readStrictJson(printed)?.value, textValue(text), `${code} at ${at}`);
        if (printed.length === text.length + 2) continue;
        // As written: a control character is accepted and reported, a line end or a quotation mark ends what is read.
        const isEnd = code === 10 || code === 13 || code === 0x22 || code === 0x5c;
        const raw = `"${text}"`;
        assert.deepEqual(readJsonValue(raw), isEnd ? undefined : textValue(text), `${code} at ${at}`);
        assert.equal(readStrictJson(raw), undefined, `${code} at ${at}`);
      }
  });

  it('reads a document, several, lines, and nothing', () => {
    assert.deepEqual(read('{"a": [1, "b", true, false, null]}'), whole('{"a":[1,"b",true,false,null]}'));
    assert.deepEqual(read('\ufeff{"a":1}\r\n{"b":2}\r\n\r\n'), whole('{"a":1}', '{"b":2}'));
    assert.deepEqual(
      read('{"a":1}{"b":2} [3] "x" 4 null'),
      whole('{"a":1}', '{"b":2}', '[3]', '"x"', '4', 'null'),
    );
    assert.deepEqual(read('{"a":1},\n{"b":2},\n'), whole('{"a":1}', '{"b":2}'));
    assert.deepEqual(read(' \n\t '), whole());
    assert.deepEqual(read(''), whole());
  });

  it('keeps the order of keys, and keys of prototypes', () => {
    assert.deepEqual(
      read('{"2":1,"1":2,"__proto__":{"a":3},"constructor":4}'),
      whole('{"2":1,"1":2,"__proto__":{"a":3},"constructor":4}'),
    );
  });

  it('keeps numbers as they are written', () => {
    const numbers: readonly (readonly [string, Value])[] = [
      ['3', { kind: 'int', int: 3 }],
      ['3.0', { kind: 'float', float: 3 }],
      ['0', { kind: 'int', int: 0 }],
      ['-0', { kind: 'float', float: -0, literal: '-0' }],
      ['-0.0', { kind: 'float', float: -0 }],
      ['1e2', { kind: 'float', float: 100, literal: '1e2' }],
      ['1E-2', { kind: 'float', float: 0.01, literal: '1E-2' }],
      ['0.1', { kind: 'float', float: 0.1 }],
      ['1.50', { kind: 'float', float: 1.5, literal: '1.50' }],
      ['-12.5', { kind: 'float', float: -12.5 }],
      ['0.00001', { kind: 'float', float: 0.00001 }],
      ['0.000001', { kind: 'float', float: 0.000001 }],
      ['123456789.1234', { kind: 'float', float: 123456789.1234 }],
      ['0.0000001', { kind: 'float', float: 1e-7, literal: '0.0000001' }],
      ['1e400', { kind: 'float', float: Infinity, literal: '1e400' }],
      ['0.30000000000000004', { kind: 'float', float: 0.1 + 0.2 }],
      ['0.10000000000000001', { kind: 'float', float: 0.1, literal: '0.10000000000000001' }],
      [
        '0.1000000000000000055511151231257827021181583404541015625',
        { kind: 'float', float: 0.1, literal: '0.1000000000000000055511151231257827021181583404541015625' },
      ],
      ['1e-400', { kind: 'float', float: 0, literal: '1e-400' }],
      ['0e999', { kind: 'float', float: 0, literal: '0e999' }],
      ['9007199254740991', { kind: 'int', int: 9007199254740991 }],
      ['-9007199254740991', { kind: 'int', int: -9007199254740991 }],
      ['9007199254740992', { kind: 'int', int: 9007199254740992n }],
      ['-123456789012345678901234567890', { kind: 'int', int: -123456789012345678901234567890n }],
      ['NaN', { kind: 'float', float: NaN }],
      ['Infinity', { kind: 'float', float: Infinity }],
      ['-Infinity', { kind: 'float', float: -Infinity }],
    ];
    for (const [text, value] of numbers) assert.deepEqual(valueOf(text), value, text);
  });

  it('reads a number with a point to the same double as JSON.parse', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 8 }), fc.boolean(), (int, places, isNegative) => {
        const digits = String(int).padStart(places + 1, '0');
        const literal = `${isNegative ? '-' : ''}${digits.slice(0, digits.length - places)}.${digits.slice(-places)}`;
        const value = valueOf(literal);
        assert.ok(value.kind === 'float', literal);
        assert.ok(Object.is(value.float, JSON.parse(literal)), literal);
        assert.equal(value.literal ?? printFloat(value.float), literal);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('says which numbers were rounded', () => {
    const rounded = (literal: string, float: string, value: string): ReturnType<typeof read> => ({
      values: [value],
      faults: [['rounded', literal, `The number '${literal}' does not fit a double; it is read as ${float}`]],
    });
    const pi = '3.14159265358979323846';
    assert.deepEqual(read(pi), rounded(pi, '3.141592653589793', '3.141592653589793'));
    assert.deepEqual(read('-1e400'), rounded('-1e400', 'minus infinity', '{"$float":"-inf"}'));
    assert.deepEqual(read('1e-400'), rounded('1e-400', '0.0', '0.0'));
    // What a printer of 17 digits writes for a double, and its neighbour, which no printer writes.
    const near = '0.12345678901234567';
    assert.deepEqual(read('0.12345678901234566').faults, []);
    assert.deepEqual(read(near), rounded(near, '0.12345678901234566', '0.12345678901234566'));
    assert.deepEqual(
      read('[9007199254740993.0]').faults.map(([kind, text]) => [kind, text]),
      [['rounded', '9007199254740993.0']],
    );
  });

  it('reads an integer of very many digits, and keeps one of more as a text', () => {
    const long = '9'.repeat(100_000);
    assert.deepEqual(valueOf(long), { kind: 'int', int: BigInt(long) });
    const { pieces, faults } = readJsonPieces(`[${long}9]`);
    assert.deepEqual(pieces[0]?.value, { kind: 'list', items: [textValue(`${long}9`)] });
    assert.deepEqual(
      faults.map(({ kind, span }) => [kind, span]),
      [['moved', { start: 1, end: 100_002 }]],
    );
  });

  it('reads escapes and lone surrogates exactly', () => {
    const texts = ['"\\/\b\f\n\r\t', '\u0000\u001f', '\ud800', '\udc00\ud800', '😀', 'é', '\u2028'];
    for (const text of texts) assert.deepEqual(valueOf(JSON.stringify(text)), textValue(text));
    assert.deepEqual(valueOf('"\\u00e9\\uD83D\\uDE00\\/"'), textValue('é😀/'));
    assert.deepEqual(valueOf('"\ud800 raw"'), textValue('\ud800 raw'));
  });

  it('keeps the later of two values with one key, in the place of the first', () => {
    assert.deepEqual(read('{"a":1,"b":2,"a":3}'), {
      values: ['{"a":3,"b":2}'],
      faults: [['dropped', '"a"', `The key 'a' comes twice; its earlier value is dropped`]],
    });
    const many = Array.from({ length: 40 }, (_, at) => `"k${at % 20}":${at}`).join();
    const last = Array.from({ length: 20 }, (_, at) => `"k${at}":${at + 20}`).join();
    assert.deepEqual(read(`{${many}}`).values, [`{${last}}`]);
    assert.equal(read(`{${many}}`).faults.length, 20);
    // The second of them is written with an escape.
    assert.deepEqual(read('{"a":1,"\\u0061":2}').values, ['{"a":2}']);
  });

  it('undoes the notation', () => {
    assert.deepEqual(valueOf('{"x": {"$int": "18446744073709551616"}}'), {
      kind: 'dict',
      entries: [{ key: 'x', value: { kind: 'int', int: 18446744073709551616n } }],
    });
    assert.deepEqual(valueOf('{"$tensor":{"base64":"AAE=","dtype":"uint8","shape":[2]}}'), {
      kind: 'tensor',
      source: 'uint8:2:009',
    });
    assert.deepEqual(valueOf('{"$$int":"1"}'), {
      kind: 'dict',
      entries: [{ key: '$int', value: textValue('1') }],
    });
  });

  it('gives a place to each value: an entry from its key on', () => {
    const text = ' {"a": [1, null, null], "b" : {"$int": "7"} } ';
    const places: Places = new Map();
    const { pieces } = readJsonPieces(text, places);
    assert.deepEqual(
      [...places].map(([{ kind }, { start, end }]) => [kind, text.slice(start, end)]),
      [
        ['int', '1'],
        ['null', 'null'],
        ['null', 'null'],
        ['list', '"a": [1, null, null]'],
        ['text', '"$int": "7"'],
        ['int', '"b" : {"$int": "7"}'],
        ['dict', text.trim()],
      ],
    );
    assert.deepEqual(pieces[0]?.span, { start: 1, end: text.length - 1 });
  });

  it('keeps what is nested deeper than 200 levels as a text of JSON', () => {
    const nest = (inner: string, depth: number): string => '['.repeat(depth) + inner + ']'.repeat(depth);
    assert.deepEqual(read(nest('', 200)), whole(nest('', 200)));
    assert.deepEqual(read(nest('{"a":"]"}, 2', 200)), {
      values: [nest('"{\\"a\\":\\"]\\"}",2', 200)],
      faults: [
        [
          'moved',
          '{"a":"]"}',
          'Values are nested deeper than 200 levels here; what is deeper is read as a text of JSON',
        ],
      ],
    });
    assert.deepEqual(
      read(nest('{"$int":"9007199254740993"}', 200)),
      whole(nest('{"$int":"9007199254740993"}', 200)),
    );
    assert.deepEqual(read(nest('{"$int":[[[[[1]]]]]}', 200)).values, [
      nest('"{\\"$int\\":[[[[[1]]]]]}"', 200),
    ]);
  });

  it('reads many brackets, closed or not, of either kind', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = readJsonPieces(open.repeat(sized(100_000)) + '1' + close.repeat(sized(100_000)));
      assert.deepEqual([deep.pieces.length, deep.faults.length], [1, 1]);
      const cut = readJsonPieces(open.repeat(sized(100_000)));
      assert.equal(cut.pieces.length, 1);
      assert.deepEqual(
        cut.faults.map(({ kind }) => kind),
        ['dropped', 'moved'],
      );
    }
  });

  it('answers a value for whole JSON alone', () => {
    assert.deepEqual(readJsonValue(' [1] \n'), valueOf('[1]'));
    const others = [
      '',
      ' ',
      '[1',
      '[1,]',
      '[1] 2',
      '1,',
      'data: 1',
      'x',
      '[1e400]',
      '{"a":1,"a":2}',
      '1x',
      '\ufeff1',
    ];
    for (const text of others) assert.equal(readJsonValue(text), undefined, text);
  });

  it('reads whatever JSON.parse reads, to the same value', () => {
    const spaced = fc
      .tuple(fc.json(), fc.nat(3))
      .map(([json, indent]) => JSON.stringify(JSON.parse(json), null, indent));
    fc.assert(
      fc.property(spaced, text => {
        const { pieces, faults } = readJsonPieces(text);
        assert.deepEqual([pieces.length, faults.filter(({ kind }) => kind !== 'rounded')], [1, []]);
        assert.deepEqual(plain(pieces[0]?.value ?? NULL), JSON.parse(text));
      }),
      { numRuns: runs(500) },
    );
  });
});

const cutFault = (text: string, closers: string): readonly string[] => [
  'dropped',
  text,
  `The text ends before the closing '${closers}'; what is there is read, and what is missing is not known`,
];

const lineFault = (line: string): readonly string[] => [
  'dropped',
  line,
  `'${line}' is not complete JSON; the line is left out`,
];

describe('reading broken JSON', () => {
  it('leaves a broken line out, and goes on at the next', () => {
    for (const broken of [
      '{"a": 1',
      '{"a":',
      '{"a',
      'not json',
      '{"a":{"b":[1,',
      '}{',
      '{"x" 1 2}',
      '2024-01-01 start',
    ])
      assert.deepEqual(
        read(`{"n":1}\n${broken}\n{"n":2}\n`),
        { values: ['{"n":1}', '{"n":2}'], faults: [lineFault(broken)] },
        broken,
      );
    assert.deepEqual(read('{"a": 1\n{"n":2}'), { values: ['{"n":2}'], faults: [lineFault('{"a": 1')] });
    assert.deepEqual(read('{"n":1}\n{"a": "b'), { values: ['{"n":1}'], faults: [lineFault('{"a": "b')] });
    const long = `{"text": "${'x'.repeat(60)}`;
    assert.deepEqual(read(`{"n":1}\n${long}\n`).faults, [
      ['dropped', long, `'{"text": "${'x'.repeat(30)}…' is not complete JSON; the line is left out`],
    ]);
  });

  it('keeps what is whole of a document that is cut', () => {
    assert.deepEqual(read('{"a": [1, {"b": true'), {
      values: ['{"a":[1,{"b":true}]}'],
      faults: [cutFault('{"a": [1, {"b": true', '}]}')],
    });
    assert.deepEqual(read('{\n  "a": 1,\n  "b": "cut \\n he'), {
      values: ['{"a":1,"b":"cut \\n he"}'],
      faults: [cutFault('{\n  "a": 1,\n  "b": "cut \\n he', '"}')],
    });
    assert.deepEqual(read('[\n{"a":1},\n{"b":2},\n{"c":'), {
      values: ['[{"a":1},{"b":2},{}]'],
      faults: [
        cutFault('[\n{"a":1},\n{"b":2},\n{"c":', '}]'),
        ['dropped', '"c":', `The key '"c":' has no value`],
      ],
    });
    assert.deepEqual(read('{\n  "a": 1,\n\n{\n  "b": 2\n}\n').values, ['{"a":1}', '{"b":2}']);
  });

  it('reads over marks that are missing or too many', () => {
    assert.deepEqual(read('{"a": [1, 2,], "b" 3 "c": 4,}'), whole('{"a":[1,2],"b":3,"c":4}'));
    assert.deepEqual(read('{"a": "tab\there"}'), whole('{"a":"tab\\there"}'));
    assert.deepEqual(read('{"a": "line\nbreak"}'), whole('{"a":"line\\nbreak"}'));
    assert.deepEqual(read(`{a: True, 'b': None, "c": 'x'}`), whole('{"a":true,"b":null,"c":"x"}'));
  });

  it('says what has no place in a value', () => {
    assert.deepEqual(read('{"a": , "b": 1, "c"}'), {
      values: ['{"b":1}'],
      faults: [
        ['dropped', '"a":', `The key '"a":' has no value`],
        ['dropped', '"c"', `The key '"c"' has no value`],
      ],
    });
    assert.deepEqual(
      read('{[1]: 2}')
        .faults.map(([kind]) => kind)
        .includes('dropped'),
      true,
    );
    assert.deepEqual(read('{"a": 1, "a": 2,}'), {
      values: ['{"a":2}'],
      faults: [['dropped', '"a": 2', `The key 'a' comes twice; its earlier value is dropped`]],
    });
  });

  it('keeps as a text what is no value', () => {
    for (const word of ['+5', '.5', '5.', '01', '0x10', 'NULL', '1_000', '--1', '1e', 'foo-bar'])
      assert.deepEqual(
        read(`[${word}]`),
        {
          values: [`["${word}"]`],
          faults: [['moved', word, `'${word}' is not a JSON value; it is read as a text`]],
        },
        word,
      );
    assert.deepEqual(read('["\\d\\n\\u12"]'), {
      values: ['["\\\\d\\n\\\\u12"]'],
      faults: ['\\d', '\\u'].map(escape => [
        'moved',
        '"\\d\\n\\u12"',
        `'${escape}' is not a JSON escape; both characters are read`,
      ]),
    });
  });

  it('says of each cut that something is missing', () => {
    assert.deepEqual(read('{"a": "\\'), {
      values: ['{"a":"\\\\"}'],
      faults: [cutFault('{"a": "\\', '"}')],
    });
    const cut = fc
      .tuple(anyValue.map(compactJson), fc.nat())
      .filter(([text]) => /^[{["]/.test(text))
      .map(([text, at]) => text.slice(0, 1 + (at % (text.length - 1))));
    fc.assert(
      fc.property(cut, text => {
        const { pieces, faults } = readJsonPieces(text);
        assert.equal(pieces.length, 1);
        assert.ok(
          faults.some(({ message }) => message.startsWith('The text ends before')),
          text,
        );
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('never throws and loses no text without a fault', () => {
    const parts = [
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '\\',
      '"a"',
      '1',
      '-',
      '.5',
      'e',
      'true',
      'nul',
      '\n',
      '\r\n',
      ' ',
    ];
    const more = [
      '\n{',
      '\n[',
      '{"a":1}',
      'data: ',
      'event:',
      '\ud800',
      '\ufeff',
      '{"$int":"',
      '\u0000',
      '__proto__',
    ];
    const noise = fc
      .array(fc.constantFrom(...parts, ...more), { maxLength: 30 })
      .map(pieces => pieces.join(''));
    const damaged = fc
      .tuple(anyValue.map(compactJson), fc.nat(), fc.nat(3), fc.constantFrom(...parts, ...more))
      .map(([text, at, removed, piece]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + piece + text.slice(place + removed);
      });
    fc.assert(
      fc.property(fc.oneof(noise, damaged, fc.string()), text => {
        const { pieces, faults } = readJsonPieces(text, new Map());
        const spans = [...pieces, ...faults].map(({ span }) => span);
        for (const { start, end } of spans) assert.ok(0 <= start && start <= end && end <= text.length, text);
        const covered = spans.reduce(
          (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
          text,
        );
        // A stream has lines that are no data: names, numbers, comments.
        if (!isSse(text)) assert.match(covered, /^[\s,\ufeff]*$/, text);
        for (const { value } of pieces) assert.doesNotThrow(() => void JSON.parse(compactJson(value)));
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('tells any number of faults of one value', () => {
    const { faults } = readJsonPieces(`[${'x,'.repeat(sized(200_000))}]`);
    assert.equal(faults.length, sized(200_000));
    assert.equal(readJsonPieces('data: x\n'.repeat(sized(200_000))).faults.length, sized(200_000));
  });

  it('does work linear in a text that is broken everywhere', () => {
    // Each of these took minutes if a fault made the rest of the text be read again.
    const texts = [
      '{"a":\n',
      '[[1,\n',
      '{]}',
      '{"a":1 x\n',
      '"\n',
      '{"a":"\n',
      '[1}\n',
      'x\n',
      '{"$a":{',
      'data: {\n',
      ': x\n',
    ];
    for (const text of texts) {
      const { pieces, faults } = readJsonPieces(text.repeat(sized(30_000)));
      assert.ok(pieces.length + faults.length > 0);
    }
  });
});
