import assert from 'node:assert/strict';
import { crc32 as nodeCrc32, deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { crc32 } from '../../../../tensor/files/crc32.ts';
import { FILE_FORMATS, findFormat } from '../../../../tensor/files/file-formats.ts';
import { inflate } from '../../../../tensor/files/inflate.ts';
import { RAW } from '../../../../tensor/files/raw.ts';
import { countElements, elementSize, type Tensor } from '../../../../tensor/tensor.ts';
import { DTYPE_NAMES, tensorOf } from '../support/tensors.ts';
import { bytesOf, countAllocated, latin1, problemOf, readFixture, writeOne, written } from './support.ts';
import { runs } from '../../../support/size.ts';

describe('the formats of array files', () => {
  it('are found by the ending of a name, in any case', () => {
    const names = [
      'a.npy',
      'B.NPZ',
      'x/y.z.safetensors',
      'a.csv',
      'a.txt',
      'a.tsv',
      'a.PNG',
      'a.bin',
      'a.raw',
      'npy',
      'a.npy.gz',
      '',
    ];
    assert.deepEqual(
      names.map(name => findFormat(name)?.name),
      [
        'npy',
        'npz',
        'safetensors',
        'csv',
        'csv',
        undefined,
        'png',
        'bin',
        'bin',
        undefined,
        undefined,
        undefined,
      ],
    );
  });

  it('share no ending', () => {
    const endings = FILE_FORMATS.flatMap(format => format.endings);
    assert.deepEqual(endings.length, new Set(endings).size);
  });
});

const SHAPES = [[], [0], [5], [2, 3], [2, 0, 3], [2, 3, 4], [1, 2, 1, 2, 2]];

const anyOfAllShapes: fc.Arbitrary<Tensor> = fc
  .tuple(fc.constantFrom(...DTYPE_NAMES), fc.constantFrom(...SHAPES))
  .chain(([dtype, shape]) => {
    const length = countElements(shape) * elementSize(dtype);
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map(bytes => ({ dtype, shape, bytes: new Uint8Array(bytes) }));
  });

/** Types that a format has no name for. */
const NAMELESS: Readonly<Record<string, readonly string[]>> = {
  npy: ['bfloat16', 'float8_e4m3fn', 'float8_e5m2'],
  npz: ['bfloat16', 'float8_e4m3fn', 'float8_e5m2'],
  safetensors: ['complex128'],
  bin: [],
};

describe('a tensor of any type and shape', () => {
  for (const format of FILE_FORMATS.filter(({ name }) => name in NAMELESS))
    it(`is the same, bit by bit, after a way through a file: ${format.name}`, () => {
      fc.assert(
        fc.property(anyOfAllShapes, tensor => {
          const name = format.holds === 'several' ? 'a' : '';
          const writing = format.write([{ name, tensor }]);
          assert.equal(writing.kind === 'ok', !NAMELESS[format.name]?.includes(tensor.dtype));
          if (writing.kind !== 'ok') return;
          assert.deepEqual(format.read(writing.bytes, tensor), {
            kind: 'ok',
            tensors: [{ name, tensor }],
            notes: [],
          });
        }),
        { numRuns: runs(300) },
      );
    });
});

describe('a file of raw bytes', () => {
  it('says what it does not keep', () => {
    assert.deepEqual(writeOne(RAW, tensorOf('uint16', [1, 2], '01000200')), {
      kind: 'ok',
      bytes: bytesOf('01000200'),
      notes: [
        'The file does not keep the data type and the shape: it is uint16 with the shape [1, 2], little-endian.',
      ],
    });
  });

  it('is refused if its type and shape are missing, or do not fit', () => {
    const four = new Uint8Array(4);
    const wanted = [
      { dtype: 'int', shape: [4] },
      { dtype: 'uint8', shape: [-4] },
      { dtype: 'float32', shape: [300, 250_000] },
      { dtype: 'uint8', shape: [2 ** 53 - 1, 2 ** 53 - 1] },
    ];
    assert.deepEqual(
      [problemOf(RAW.read(four)), ...wanted.map(one => problemOf(RAW.read(four, one)))],
      [
        'A file of raw bytes does not say what it holds: give the data type and the shape.',
        `'int' is not a data type of a tensor.`,
        '[-4] is not a shape: its sizes have to be whole numbers from 0 on.',
        'float32 with the shape [300, 250000] takes 300,000,000 bytes, and the file has 4 bytes.',
        'uint8 with the shape [9007199254740991, 9007199254740991] takes 81,129,638,414,606,663,681,390,495,662,081 bytes, and the file has 4 bytes.',
      ],
    );
  });
});

/** One file of each kind, small enough that a changed byte matters. */
const SEEDS: Readonly<Record<string, Uint8Array>> = {
  npy: written(writeOne(FILE_FORMATS[0] ?? RAW, tensorOf('int16', [2, 2], '0001020304050607'))),
  npz: readFixture('zip64.npz'),
  'npz, deflated': readFixture('deflated.npz'),
  safetensors: readFixture('weights.safetensors'),
  csv: latin1('a,b\n1,2.5\n-3,nan\n'),
  png: readFixture('palette-4-alpha.png'),
  'png, interlaced': readFixture('rgb-8-interlaced.png'),
};

/** What an inflated byte can stand for (1,032), eight pixels, four channels each, and once more for the rows. */
const MAX_PER_BYTE = 1_032 * 8 * 4 * 2;

describe('a damaged file', () => {
  for (const [kind, seed] of Object.entries(SEEDS))
    it(`throws nothing, and allocates no more than its length allows: ${kind}`, () => {
      const format = findFormat(`a.${kind.split(',')[0]}`) ?? RAW;
      const change = fc.tuple(fc.nat(seed.length - 1), fc.nat(255));
      const damage = fc.record({
        changes: fc.array(change, { maxLength: 4 }),
        length: fc.option(fc.nat(seed.length)),
      });
      fc.assert(
        fc.property(damage, ({ changes, length }) => {
          const file = seed.slice(0, length ?? seed.length);
          for (const [at, byte] of changes) if (at < file.length) file[at] = byte;
          repairPng(file);
          const allocated = countAllocated(() => {
            const reading = format.read(file);
            if (reading.kind === 'fault') assert.match(reading.problem, /\.$/);
            else
              for (const { tensor } of reading.tensors)
                assert.equal(tensor.bytes.length, countElements(tensor.shape) * elementSize(tensor.dtype));
          });
          assert.ok(allocated <= 65_536 + file.length * MAX_PER_BYTE, `${allocated} bytes`);
        }),
        { numRuns: runs(500) },
      );
    });
});

/** Makes the checksums of a picture fit again, so that damage reaches what they guard. */
function repairPng(file: Uint8Array): void {
  if (file[1] !== 0x50 || file[2] !== 0x4e) return;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 8; at + 12 <= file.length;) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > file.length) return;
    view.setUint32(end, nodeCrc32(file.subarray(at + 4, end)));
    at = end + 4;
  }
}

describe('what is packed', () => {
  it('is unpacked as far as it is asked for', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 40_000 }),
        fc.integer({ min: 1, max: 40 }),
        fc.nat(100),
        (seed, times, percent) => {
          const data = new Uint8Array(seed.length * times);
          for (let at = 0; at < data.length; at += seed.length) data.set(seed, at);
          const packed = new Uint8Array(deflateRawSync(data));
          const size = Math.floor((data.length * percent) / 100);
          assert.deepEqual(inflate(packed, size), {
            kind: 'ok',
            bytes: data.subarray(0, size),
            more: size < data.length,
          });
          assert.equal(inflate(packed, data.length + 1).kind, 'fault');
        },
      ),
      { numRuns: runs(50) },
    );
  });

  it('is unpacked from stored blocks of the greatest length', () => {
    const block = Uint8Array.from({ length: 65_535 }, (_, at) => at % 251);
    // RFC 1951, 3.2.4: a bit for the last block, two for its kind, then its length and the complement of that.
    const stored = [0, 0, 1].flatMap(last => [Buffer.of(last, 0xff, 0xff, 0, 0), block]);
    const whole = Buffer.concat([block, block, block]);
    const unpacked = inflate(new Uint8Array(Buffer.concat(stored)), whole.length);
    assert.equal(unpacked.kind === 'ok' ? nodeCrc32(unpacked.bytes) : unpacked.problem, nodeCrc32(whole));
  });

  it('stops behind the end of the data, however much follows', () => {
    const packed = new Uint8Array(20_000_000);
    packed.set(deflateRawSync(latin1('whole')));
    assert.deepEqual(inflate(packed, 5), { kind: 'ok', bytes: latin1('whole'), more: false });
  });

  it('has the checksum that zlib gives', () => {
    assert.equal(crc32(latin1('123456789')), 0xcbf43926);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), bytes => assert.equal(crc32(bytes), nodeCrc32(bytes))),
    );
  });
});
