import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findDtype } from '../../../../core/catalog/dtypes.ts';
import { NPY, readNpyData } from '../../../../tensor/files/npy.ts';
import { npyHeader } from '../../../../tensor/files/npy-header.ts';
import { askNumpy } from '../../../support/numpy.ts';
import { hexOf, tensorOf } from '../support/tensors.ts';
import { bytesOf, concat, latin1, problemOf, show, showNamed, writeOne, written } from './support.ts';

interface Saved {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** What numpy.save wrote. */
  readonly file: string;
  /** The data in C order, little-endian. */
  readonly data: string;
}

/** Every type in every layout: what is not in C order or not little-endian is under `turned`. */
const PROGRAM = `
import io
def save(a):
    f = io.BytesIO(); np.save(f, a); return f.getvalue().hex()
def row(a):
    plain = np.ascontiguousarray(a.astype(a.dtype.newbyteorder('<'))).tobytes()
    return {'dtype': a.dtype.name, 'shape': list(a.shape), 'file': save(a), 'data': plain.hex()}
types = ['bool', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8', 'c8', 'c16']
shapes = [(), (0,), (3,), (2, 0, 3), (2, 3), (1, 2, 1, 2, 2), (100000000000, 0)]
rng = np.random.default_rng(4)
def make(t, shape):
    d = np.dtype(t)
    n = int(np.prod(shape)) * d.itemsize
    raw = rng.integers(0, 2 if t == 'bool' else 256, n, dtype=np.uint8).tobytes()
    return np.frombuffer(raw, d).reshape(shape)
plain = [row(make(t, s)) for t in types for s in shapes]
turned = [row(make(t, s).astype(np.dtype(t).newbyteorder(o)).copy(order=c))
  for t in types for s in [(), (3,), (2, 3), (2, 3, 4)] for o in '<>' for c in 'CF'
  if o == '>' and np.dtype(t).itemsize > 1 or c == 'F' and len(s) > 1]
answer = {'plain': plain, 'turned': turned}
`;

const REFUSED = `
import io
def save(a):
    f = io.BytesIO(); np.save(f, a, allow_pickle=True); return f.getvalue().hex()
answer = {
  'objects': save(np.array([None, 1], dtype=object)),
  'records': save(np.zeros(2, dtype=[('x', '<f4'), ('y', '<i2', (2,))])),
  'bytes': save(np.array([b'ab'])),
  'texts': save(np.array(['ab'])),
  'dates': save(np.array(['2024-01-01'], dtype='M8[D]')),
  'durations': save(np.array([1], dtype='m8[ns]')),
  'void': save(np.zeros(2, dtype='V2')),
}
`;

describe('.npy files', () => {
  const { plain, turned } = askNumpy('npy-files', PROGRAM) as Record<'plain' | 'turned', readonly Saved[]>;

  it('are read as NumPy wrote them: every type, and shapes of none, no and up to five axes', () => {
    for (const { dtype, shape, file, data } of plain)
      assert.deepEqual(show(NPY.read(bytesOf(file))), {
        tensors: [` ${dtype}[${shape.join(',')}] ${data}`],
        notes: [],
      });
  });

  it('are written as NumPy writes them, byte for byte', () => {
    for (const { dtype, shape, file, data } of plain) {
      const name = findDtype(dtype)?.name;
      assert.ok(name, dtype);
      assert.equal(hexOf(written(writeOne(NPY, tensorOf(name, shape, data)))), file);
    }
  });

  it('are turned to little-endian and C order, and say so', () => {
    assert.equal(turned.length, 122);
    for (const { dtype, shape, file, data } of turned) {
      const reading = NPY.read(bytesOf(file));
      const header = Buffer.from(file, 'hex').toString('latin1');
      const notes = [
        ...(header.includes(`'>`)
          ? ['The data are big-endian in the file, and were turned to little-endian.']
          : []),
        ...(header.includes(`'fortran_order': True`)
          ? ['The data are in Fortran order in the file, and were turned to C order.']
          : []),
      ];
      assert.ok(notes.length > 0);
      assert.deepEqual(show(reading), { tensors: [` ${dtype}[${shape.join(',')}] ${data}`], notes });
    }
  });

  it('share the bytes that were read where nothing is turned', () => {
    const file = bytesOf(plain.find(({ data }) => data !== '')?.file ?? '');
    const reading = NPY.read(file);
    assert.ok(reading.kind === 'ok');
    assert.equal(reading.tensors[0]?.tensor.bytes.buffer, file.buffer);
  });

  it('that hold no plain numbers are refused by what they hold', () => {
    const files = askNumpy('npy-refused', REFUSED) as Record<string, string>;
    const problems = Object.entries(files).map(([name, hex]) => [name, problemOf(NPY.read(bytesOf(hex)))]);
    assert.deepEqual(Object.fromEntries(problems), {
      objects:
        'The .npy file holds Python objects, which are stored as code that is not run here. Save an array of numbers.',
      records:
        'The .npy file holds records (a structured type), not plain numbers. Save one of their fields: np.save("x.npy", array["name"]).',
      bytes: 'The .npy file holds byte strings. Save an array of numbers.',
      texts: 'The .npy file holds texts. Save an array of numbers.',
      dates: 'The .npy file holds dates (datetime64). Save them as numbers: array.astype("int64").',
      durations: 'The .npy file holds durations (timedelta64). Save them as numbers: array.astype("int64").',
      void: `The .npy file holds elements of 2 bytes whose type it does not name ('|V2'): bfloat16 and float8 arrays are saved so. Save them as safetensors, which names them, or cast them: array.astype("float32").`,
    });
  });
});

/** A file with a header of our own; versions 2 and 3 have four bytes for its length. */
function npy(header: string, data = '', version = 1): Uint8Array {
  const text = Buffer.from(header, version === 3 ? 'utf8' : 'latin1');
  const length = Buffer.alloc(version === 1 ? 2 : 4);
  length.writeUIntLE(text.length, 0, length.length);
  return concat(bytesOf(`934e554d5059 0${version} 00`), length, text, bytesOf(data));
}

const TWO = `{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }`;

describe('the header of a .npy file', () => {
  const readable: readonly (readonly [string, Uint8Array])[] = [
    ['of version 1', npy(TWO, '01000200')],
    ['of version 2', npy(TWO, '01000200', 2)],
    ['of version 3', npy(TWO, '01000200', 3)],
    ['of Python 2', npy(`{"descr": "<u2", "fortran_order": False, "shape": (2L,)}\n`, '01000200')],
    [
      'in another order and wrapped',
      npy(`\n{ 'shape' : [2] ,\t'fortran_order':True,'descr':'=u2' }`, '01000200'),
    ],
  ];
  for (const [name, file] of readable)
    it(`${name} is read`, () => {
      assert.deepEqual(show(NPY.read(file)), { tensors: [' uint16[2] 01000200'], notes: [] });
    });

  it('tells where data lie that are not at hand', () => {
    const file = npy(`{'descr': '>c16', 'fortran_order': True, 'shape': (3000, 200000), }`);
    assert.deepEqual(npyHeader(file), {
      kind: 'ok',
      header: {
        dtype: 'complex128',
        shape: [3000, 200000],
        byteOrder: 'big',
        order: 'Fortran',
        dataStart: file.length,
        dataEnd: file.length + 9_600_000_000,
      },
    });
    const header = npyHeader(npy(TWO));
    assert.ok(header.kind === 'ok');
    const { tensor, notes } = readNpyData(header.header, bytesOf('01000200'));
    assert.deepEqual([showNamed({ name: '', tensor }), notes], [' uint16[2] 01000200', []]);
  });

  it('asks for more as long as it is cut, and the file is refused at every byte', () => {
    for (const version of [1, 2, 3]) {
      const file = npy(TWO, '01000200', version);
      const headerEnd = file.length - 4;
      for (let length = 0; length < file.length; length++) {
        const start = file.subarray(0, length);
        const needed = length < (version === 1 ? 10 : 12) ? 12 : headerEnd;
        if (length < headerEnd)
          assert.deepEqual(npyHeader(start), { kind: 'more', needed }, `${length} bytes`);
        assert.match(
          problemOf(NPY.read(start)),
          length < headerEnd
            ? new RegExp(`^The \\.npy file ends inside its header, after ${length} bytes?: `)
            : new RegExp(
                `^The \\.npy file claims uint16 with the shape \\(2\\): 4 bytes of data, and it has ${length - headerEnd} byte`,
              ),
        );
      }
    }
  });

  it('that claims more than is there is refused with both numbers, and nothing is allocated', () => {
    const file = npy(`{'descr': '<f4', 'fortran_order': True, 'shape': (300, 250000), }`, '00112233');
    assert.equal(
      problemOf(NPY.read(file)),
      'The .npy file claims float32 with the shape (300, 250000): 300,000,000 bytes of data, and it has 4 bytes. It was cut off: copy it again.',
    );
  });

  it('with data behind the array is read, and says so', () => {
    assert.deepEqual(show(NPY.read(npy(TWO, '01000200 ff'))), {
      tensors: [' uint16[2] 01000200'],
      notes: ['The file has 1 byte after the array, which were not read.'],
    });
  });

  const broken: readonly (readonly [string, Uint8Array])[] = [
    [
      'This is not a .npy file: byte 0 is 80, and these files begin with 0x93 and NUMPY.',
      latin1('PK\x03\x04'),
    ],
    [
      'The file has version 4.0 of the .npy format, and versions 1 to 3 are known. Save it again with np.save.',
      bytesOf('934e554d5059 0400 0000'),
    ],
    [
      'The header of the .npy file claims 4,294,967,295 bytes, more than 1,048,576: the file is damaged, or no array of numbers.',
      bytesOf('934e554d5059 0200 ffffffff'),
    ],
    [
      'The header of the .npy file is not UTF-8: byte 13 begins no character.',
      concat(bytesOf('934e554d5059 0300 02000000'), bytesOf('7bff')),
    ],
    [
      `The header of the .npy file is broken at byte 10: a value was expected, but the end was found.`,
      npy(''),
    ],
    [
      `The header of the .npy file is broken at byte 19: the text in quotes does not end.`,
      npy(`{'descr':'<f4}`),
    ],
    [
      `The header of the .npy file is broken at byte 18: ':' was expected, but ',' was found.`,
      npy(`{'descr',}`),
    ],
    [
      `The header of the .npy file is broken at byte 11: a name in quotes was expected, but '3' was found.`,
      npy('{3: 4}'),
    ],
    [
      `The header of the .npy file is broken at byte 19: a value was expected, but 'o' was found.`,
      npy(`{'shape':open('x')}`),
    ],
    [`The header of the .npy file is broken at byte 18: the name 'a' occurs twice.`, npy(`{'a': 1,'a': 2}`)],
    [`The header of the .npy file is broken at byte 13: 'x' follows the value.`, npy(`{} x`)],
    [
      'The header of the .npy file is broken at byte 74: brackets are nested more than 64 deep.',
      npy('('.repeat(9_000)),
    ],
    ['The header of the .npy file is not a dictionary with descr, fortran_order and shape.', npy('(1, 2)')],
    [
      'The header of the .npy file names descr, shape, and it has to name descr, fortran_order and shape.',
      npy(`{'descr': '<f4', 'shape': ()}`),
    ],
    [
      'The header of the .npy file names nothing, and it has to name descr, fortran_order and shape.',
      npy(`{}`),
    ],
    [
      'The header of the .npy file has a fortran_order that is neither True nor False.',
      npy(TWO.replace('False', 'None')),
    ],
    [
      'The header of the .npy file has a shape that is not a tuple of sizes from 0 to 9007199254740991.',
      npy(TWO.replace('(2,)', '(-2,)')),
    ],
    [
      'The header of the .npy file has a shape that is not a tuple of sizes from 0 to 9007199254740991.',
      npy(TWO.replace('(2,)', '2')),
    ],
    [
      'The header of the .npy file has a shape that is not a tuple of sizes from 0 to 9007199254740991.',
      npy(TWO.replace('(2,)', '(9007199254740992,)')),
    ],
    [
      'The header of the .npy file has a shape that is not a tuple of sizes from 0 to 9007199254740991.',
      npy(TWO.replace('(2,)', '(99999999999999999999,)')),
    ],
    [
      'The header of the .npy file claims the shape (9007199254740991, 2), which takes 36,028,797,018,963,964 bytes: more than any file has.',
      npy(TWO.replace('(2,)', '(9007199254740991, 2)')),
    ],
    [
      `The .npy file holds long doubles ('<f16'), which every machine lays out in its own way. Cast them: array.astype("float64").`,
      npy(TWO.replace('<u2', '<f16')),
    ],
    [
      `The .npy file holds elements of 1 byte whose type it does not name ('<f1'): bfloat16 and float8 arrays are saved so. Save them as safetensors, which names them, or cast them: array.astype("float32").`,
      npy(TWO.replace('<u2', '<f1')),
    ],
    [
      `The .npy file holds elements of the type 'int', which is not known here. Cast them to a type such as float32.`,
      npy(TWO.replace('<u2', 'int')),
    ],
  ];
  for (const [problem, file] of broken)
    it(`that is broken is refused: ${problem.slice(0, 100)}`, () => {
      assert.equal(problemOf(NPY.read(file)), problem);
    });
});

describe('a tensor that no .npy file can hold', () => {
  for (const dtype of ['bfloat16', 'float8_e4m3fn', 'float8_e5m2'] as const)
    it(`is refused with what to do: ${dtype}`, () => {
      assert.deepEqual(writeOne(NPY, tensorOf(dtype, [0], '')), {
        kind: 'fault',
        problem: `A .npy file cannot name ${dtype}. Cast the tensor to float32, which holds all of its values, or write a safetensors file.`,
      });
    });

  it('is one of several, or none', () => {
    const one = { name: 'a', tensor: tensorOf('uint8', [], '01') };
    assert.deepEqual([NPY.write([]), NPY.write([one, one])].map(problemOf), [
      'There is no tensor to write.',
      'A .npy file holds one tensor, and there are 2: pick one, or write an npz or safetensors file.',
    ]);
  });
});

describe('a .npy file with more axes than version 1 can say', () => {
  it('is written as version 2, and read', () => {
    const shape = Array.from({ length: 30_000 }, () => 1);
    const file = written(writeOne(NPY, tensorOf('uint8', shape, '07')));
    assert.deepEqual([file[6], file.length % 64], [2, 1]);
    assert.deepEqual(show(NPY.read(file)), { tensors: [` uint8[${shape.join(',')}] 07`], notes: [] });
  });
});
