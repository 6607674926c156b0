import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  isEntries,
  readJsonText,
  readPythonLiteral,
  readSizes,
  type Literal,
} from '../../../../tensor/files/literals.ts';
import { askNumpy } from '../../../support/numpy.ts';
import { runs } from '../../../support/size.ts';

/** As JSON.parse gives it. */
function plain(value: Literal): unknown {
  if (isEntries(value)) return Object.fromEntries([...value].map(([name, one]) => [name, plain(one)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('the reader of JSON texts', () => {
  it('gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t\r\n '), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const reading = readJsonText(text);
        assert.ok(reading.kind === 'ok', text);
        assert.equal(JSON.stringify(plain(reading.value)), JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('takes and refuses the texts that JSON.parse does, but for names that stand there twice', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b\\n"',
      '"',
      '\\',
      ' ',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'null',
      'L',
      "'",
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map(parts => parts.join(''));
    fc.assert(
      fc.property(text, source => {
        const reading = readJsonText(source);
        if (reading.kind === 'fault' && reading.problem.endsWith('occurs twice')) return;
        const wanted = parse(source);
        assert.equal(reading.kind, wanted === undefined ? 'fault' : 'ok', source);
        if (reading.kind === 'ok')
          assert.deepEqual(JSON.stringify(plain(reading.value)), JSON.stringify(wanted));
        else assert.ok(reading.at >= 0 && reading.at <= source.length, source);
      }),
      { numRuns: runs(3_000) },
    );
  });
});

const PYTHON = [
  `{'a': (1, 2,), "b": [True, False, None], 'c': {}}`,
  `()`,
  `(-3,)`,
  `[ [ ] , 'it"s' ]\n`,
  `{'a' 1}`,
  `[1 2]`,
  `{'a': __import__('os')}`,
  `'open`,
  `[}`,
  `{`,
  ``,
];

describe('the reader of Python literals', () => {
  it('gives what Python gives, and refuses what it does not read', () => {
    const wanted = askNumpy(
      'literals',
      `
import ast
def read(text):
    try: return [ast.literal_eval(text)]
    except (SyntaxError, ValueError): return None
answer = [read(text) for text in given]`,
      PYTHON,
    );
    const given = PYTHON.map(text => {
      const reading = readPythonLiteral(text);
      return reading.kind === 'ok' ? [plain(reading.value)] : null;
    });
    assert.deepEqual(given, wanted);
  });

  it('never throws and never hangs', () => {
    for (const text of [
      '['.repeat(1_000_000),
      `{'a':`.repeat(300_000),
      `'${'\\'.repeat(1_000_001)}`,
      ' '.repeat(1_000_000),
    ])
      assert.equal(readPythonLiteral(text).kind, 'fault');
  });
});

describe('a list of sizes', () => {
  it('holds whole numbers that are exact, and nothing else', () => {
    const given: readonly (Literal | undefined)[] = [
      [],
      [0, 9007199254740991],
      [-1],
      [1.5],
      [2 ** 53],
      ['1'],
      [[1]],
      1,
      undefined,
    ];
    assert.deepEqual(given.map(readSizes), [
      [],
      [0, 9007199254740991],
      ...Array.from({ length: 7 }, () => undefined),
    ]);
  });
});
