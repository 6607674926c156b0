import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { CSV } from '../../../../tensor/files/csv.ts';
import { readCsvValue } from '../../../../tensor/files/csv-value.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';
import { askNumpy } from '../../../support/numpy.ts';
import { anyTensor, DTYPE_NAMES, hexOf, tensorOf } from '../support/tensors.ts';
import { bytesOf, concat, latin1, problemOf, show, writeOne, written } from './support.ts';
import { runs, sized } from '../../../support/size.ts';

const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const doubles = (...values: readonly number[]): string =>
  hexOf(new Uint8Array(Float64Array.from(values).buffer));
const integers = (...values: readonly bigint[]): string =>
  hexOf(new Uint8Array(BigInt64Array.from(values).buffer));

describe('a .csv file', () => {
  const readable: readonly (readonly [string, Uint8Array, string, readonly string[]])[] = [
    ['one value a line', utf8('1\n-2\n3'), `int64[3] ${integers(1n, -2n, 3n)}`, []],
    ['a row a line', utf8('1,2.5\n-0.0,1e3\n'), `float64[2,2] ${doubles(1, 2.5, -0, 1000)}`, []],
    ['CRLF', utf8('1,2\r\n3,4\r\n'), `int64[2,2] ${integers(1n, 2n, 3n, 4n)}`, []],
    ['CR', utf8('1,2\r3,4'), `int64[2,2] ${integers(1n, 2n, 3n, 4n)}`, []],
    ['semicolons', utf8('1;2\n'), `int64[1,2] ${integers(1n, 2n)}`, []],
    ['tabs', utf8('1\t2\n'), `int64[1,2] ${integers(1n, 2n)}`, []],
    ['blanks around', utf8(' 1 , 2 \n'), `int64[1,2] ${integers(1n, 2n)}`, []],
    ['quotes around', utf8('"1","2.5"\n'), `float64[1,2] ${doubles(1, 2.5)}`, []],
    [
      'a header and a mark of byte order',
      utf8('\ufeffname,größe\n1,2\n'),
      `int64[1,2] ${integers(1n, 2n)}`,
      [`The line 'name,größe' was taken as a header.`],
    ],
    [
      'a header of another encoding',
      latin1('größe\n7\n'),
      `int64[1] ${integers(7n)}`,
      [`The line 'gr\ufffd\ufffde' was taken as a header.`],
    ],
    [
      'lines to pass over',
      utf8('# a b\n\n1 2\n \n'),
      `int64[1,2] ${integers(1n, 2n)}`,
      ['Skipped, because blank or a comment with #: 3 lines.'],
    ],
    [
      'what is not a number',
      utf8('nan,inf\n-Inf,+NaN\n-nan,Infinity'),
      `float64[3,2] ${doubles(NaN, Infinity, -Infinity, NaN, NaN, Infinity)}`,
      [],
    ],
    ['decimals of every form', utf8('.5,1.,+1E-2,007.0'), `float64[1,4] ${doubles(0.5, 1, 0.01, 7)}`, []],
    ['true and false', utf8('True,false\nTRUE,true\n'), 'bool[2,2] 01000101', []],
    [
      'complex numbers',
      utf8('1.0+2.0i\n-1e3-infj\n(3+nanj)\n4'),
      `complex128[4] ${doubles(1, 2, -1000, -Infinity, 3, NaN, 4, 0)}`,
      [],
    ],
    [
      'integers to the end of int64',
      utf8('9223372036854775807,-9223372036854775808,9007199254740993'),
      `int64[1,3] ${integers(2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n)}`,
      [],
    ],
    [
      'integers of uint64',
      utf8('1\n18446744073709551615'),
      `uint64[2] 0100000000000000ffffffffffffffff`,
      ['Read as uint64: line 2 holds an integer beyond int64.'],
    ],
    [
      'integers beyond 64 bits',
      utf8('1\n18446744073709551616\n9007199254740993\n'),
      `float64[3] ${doubles(1, 2 ** 64, 2 ** 53)}`,
      [
        'Read as float64: line 2 holds an integer beyond int64.',
        '1 integer beyond 2^53 became the nearest float64.',
      ],
    ],
    [
      'integers of both ends',
      utf8('-1\n9223372036854775808\n'),
      `float64[2] ${doubles(-1, 2 ** 63)}`,
      ['Read as float64: line 2 holds an integer beyond int64.'],
    ],
    [
      'large integers beside decimals',
      utf8('0.5\n-9007199254740993\n'),
      `float64[2] ${doubles(0.5, -(2 ** 53))}`,
      ['1 integer beyond 2^53 became the nearest float64.'],
    ],
  ];
  for (const [name, bytes, tensor, notes] of readable)
    it(`with ${name} is read`, () => {
      assert.deepEqual(show(CSV.read(bytes)), { tensors: [` ${tensor}`], notes });
    });

  const refused: readonly (readonly [string, Uint8Array])[] = [
    ['The file has no line of numbers.', utf8('')],
    [`The file has no line of numbers: it begins with 'a,b'.`, utf8('a,b\n\n')],
    [`Line 1, value 2: '1e400' is beyond what a float64 holds.`, utf8('1,1e400\n1,2\n')],
    [`Line 2, value 2: '2,5' is not a number: a decimal has a point.`, utf8('# a\n1;2,5\n3;4\n')],
    ['The file is UTF-16. Save it as UTF-8.', bytesOf('fffe3100')],
    ['Line 3 has 1 value, and the lines before it have 2.', utf8('a,b\n1,2\n3\n4,5')],
    [`Line 2, value 2: 'x' is not a number.`, utf8('1,2\n3,x\n')],
    [`Line 2, value 1: 'c' is not a number.`, utf8('a,b\nc,d\n')],
    ['Line 2, value 1: the value is empty. Write nan for a value that is missing.', utf8('1,2\n,3')],
    [`Line 2, value 1: '1,5' is not a number: a decimal has a point.`, utf8('a;b\n1,5;2,5\n')],
    [`Line 2, value 1: '1e999' is beyond what a float64 holds.`, utf8('1\n1e999\n')],
    [
      `Line 2, value 1: '${'9'.repeat(40)}…' is beyond what a float64 holds.`,
      utf8(`1\n${'9'.repeat(400)}\n`),
    ],
    ['Line 2, value 1: true and false are mixed with numbers. Write 1 and 0.', utf8('1\ntrue\n')],
  ];
  for (const [problem, bytes] of refused)
    it(`is refused: ${problem}`, () => {
      assert.equal(problemOf(CSV.read(bytes)), problem);
    });

  it('of NumPy is read, in each of its layouts', () => {
    const files = askNumpy(
      'csv-files',
      `
import io
def save(a, **options):
    f = io.BytesIO(); np.savetxt(f, a, **options); return f.getvalue().hex()
a = np.array([[0.1, -1e-300], [np.nan, np.inf]])
answer = [save(a), save(a, delimiter=',', header='x,y'), save(a[0] * (1 + 2j)), save(np.array([[1, -2]]), fmt='%d', delimiter=';')]`,
    );
    assert.deepEqual(
      (files as readonly string[]).map(hex => show(CSV.read(bytesOf(hex)))),
      [
        { tensors: [` float64[2,2] ${doubles(0.1, -1e-300, NaN, Infinity)}`], notes: [] },
        {
          tensors: [` float64[2,2] ${doubles(0.1, -1e-300, NaN, Infinity)}`],
          notes: ['Skipped, because blank or a comment with #: 1 line.'],
        },
        { tensors: [` complex128[2] ${doubles(0.1, 0.2, -1e-300, -2e-300)}`], notes: [] },
        { tensors: [` int64[1,2] ${integers(1n, -2n)}`], notes: [] },
      ],
    );
  });
});

describe('a .csv file of ours', () => {
  it('has one value a line or one row a line, each in its shortest text', () => {
    const write = (tensor: Tensor): unknown => {
      const writing = writeOne(CSV, tensor);
      return writing.kind === 'ok'
        ? [Buffer.from(writing.bytes).toString(), ...writing.notes]
        : writing.problem;
    };
    const cast = 'A .csv file keeps the values and not the data type: cast what is read back to';
    assert.deepEqual(
      [
        tensorOf('float32', [3], 'cdcccc3d 0000c07f 000080ff'.replaceAll(' ', '')),
        tensorOf('int64', [2, 2], integers(1n, -1n, 2n ** 63n - 1n, 0n)),
        tensorOf('bool', [1, 3], '010002'),
        tensorOf('complex128', [], doubles(1, -0.5)),
        tensorOf('uint8', [2, 1], '07ff'),
      ].map(write),
      [
        ['0.1\nnan\n-inf\n', `${cast} float32.`],
        ['1,-1\n9223372036854775807,0\n'],
        ['true,false,true\n', 'Bytes above 1 are written as true.'],
        ['1.0-0.5i\n', 'A .csv file does not keep the shape []: it reads back as 1 value on one axis.'],
        [
          '7\n255\n',
          `${cast} uint8.`,
          'A .csv file does not keep the shape [2, 1]: it reads back as 2 values on one axis.',
        ],
      ],
    );
    assert.deepEqual([tensorOf('uint8', [1, 1, 1], '01'), tensorOf('uint8', [3, 0], '')].map(write), [
      'A .csv file holds one or two axes, and the tensor has 3. Slice it to two, or reshape it.',
      'The tensor of the shape [3, 0] has no values, and a .csv file holds nothing else.',
    ]);
  });

  it('that would be too long is refused', () => {
    const count = 2 ** 25 + 1;
    assert.equal(
      problemOf(writeOne(CSV, { dtype: 'uint8', shape: [count], bytes: new Uint8Array(count) })),
      'The tensor has 33,554,433 values, and a .csv file is written for up to 33,554,432. Slice it, or write an .npy file.',
    );
  });

  it('reads back to the same values, whatever the type', () => {
    for (const dtype of DTYPE_NAMES)
      fc.assert(
        fc.property(anyTensor(dtype), fc.constantFrom(1, 3), (tensor, columns) => {
          const count = tensor.shape[0] ?? 0;
          fc.pre(count > 0 && (columns === 1 || count % columns === 0));
          const shape = columns === 1 ? [count] : [count / columns, columns];
          const first = written(writeOne(CSV, { ...tensor, shape }));
          const reading = CSV.read(first);
          assert.ok(reading.kind === 'ok', problemOf(reading));
          const [back] = reading.tensors;
          assert.deepEqual(back?.tensor.shape, shape);
          // A value's text tells it from all others of its type: the same texts are the same values.
          const lines = (text: Uint8Array): readonly unknown[] =>
            Buffer.from(text)
              .toString()
              .split(/[,\n]/)
              .map(field => readCsvValue(field));
          assert.deepEqual(lines(written(writeOne(CSV, back.tensor))), lines(first));
        }),
        { numRuns: runs(50) },
      );
  });

  it('of many rows is whole', () => {
    const rows = sized(100_000, 2_000);
    const values = Float64Array.from({ length: 2 * rows }, (_, at) => at / 7);
    const bytes = new Uint8Array(values.buffer);
    const file = written(writeOne(CSV, { dtype: 'float64', shape: [rows, 2], bytes }));
    assert.deepEqual(CSV.read(concat(latin1('a,b\n'), file)), {
      kind: 'ok',
      tensors: [{ name: '', tensor: { dtype: 'float64', shape: [rows, 2], bytes } }],
      notes: [`The line 'a,b' was taken as a header.`],
    });
  });
});
