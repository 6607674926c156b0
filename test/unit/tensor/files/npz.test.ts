import assert from 'node:assert/strict';
import { deflateRawSync } from 'node:zlib';
import { describe, it } from 'mocha';
import type { NamedTensor } from '../../../../tensor/files/file-format.ts';
import { NPY } from '../../../../tensor/files/npy.ts';
import { NPZ } from '../../../../tensor/files/npz.ts';
import { askNumpy } from '../../../support/numpy.ts';
import { sized } from '../../../support/size.ts';
import { hexOf, NUMPY_NAMES, tensorOf } from '../support/tensors.ts';
import {
  bytesOf,
  concat,
  countAllocated,
  latin1,
  problemOf,
  readFixture,
  show,
  writeOne,
  written,
} from './support.ts';

const TURNED = [
  `'columns': The data are big-endian in the file, and were turned to little-endian.`,
  `'columns': The data are in Fortran order in the file, and were turned to C order.`,
];
/** What README of the fixtures says: (numpy.arange(-6, 6) / 3 as float32) and so on. */
const SIX = [
  `weights float32[3,4] ${hexOf(new Uint8Array(Float32Array.from({ length: 12 }, (_, at) => Math.fround(at - 6) / 3).buffer))}`,
  `layer/bias float64[4] ${hexOf(new Uint8Array(Float64Array.of(0, -0, Infinity, NaN).buffer))}`,
  `steps int64[] f9ffffffffffffff`,
  `empty uint16[0,3] `,
  `mask bool[2,2] 01000001`,
  `columns int16[2,3] 000001000200030004000500`,
];

describe('.npz files of NumPy', () => {
  it('are read where they are stored', () => {
    assert.deepEqual(show(NPZ.read(readFixture('stored.npz'))), { tensors: SIX, notes: TURNED });
  });

  it('are read where they are compressed; what is no array of numbers is named', () => {
    const long = Int32Array.from({ length: 100_000 }, (_, at) => at % 50);
    assert.deepEqual(show(NPZ.read(readFixture('deflated.npz'))), {
      tensors: [...SIX, `long int32[100000] ${hexOf(new Uint8Array(long.buffer))}`],
      notes: [...TURNED, `'names.npy' was not read. The .npy file holds texts. Save an array of numbers.`],
      unread: ['names'],
    });
  });

  it('are read with ZIP64 and a comment', () => {
    const counts = new Uint8Array(BigUint64Array.of(0n, 1n, 2n, 3n, 4n).buffer);
    assert.deepEqual(show(NPZ.read(readFixture('zip64.npz'))), {
      tensors: [`counts uint64[5] ${hexOf(counts)}`],
      notes: [],
    });
  });
});

const NAMED: readonly NamedTensor[] = [
  { name: '', tensor: tensorOf('uint8', [2], '0102') },
  { name: 'layer.0/größe', tensor: tensorOf('float16', [1, 1], '003c') },
  { name: '../../etc/passwd', tensor: tensorOf('int8', [], 'ff') },
  { name: 'C:\\x\u0000', tensor: tensorOf('bool', [0, 4], '') },
  { name: 'same', tensor: tensorOf('int16', [1], '0100') },
  { name: 'same', tensor: tensorOf('int16', [1], '0200') },
  { name: 'same', tensor: tensorOf('int16', [1], '0300') },
  { name: 'same_2', tensor: tensorOf('int16', [1], '0400') },
  { name: '\ud800/', tensor: tensorOf('int16', [1], '0500') },
];
const GIVEN = [
  'arr_0',
  'layer.0/größe',
  '__/__/etc/passwd',
  'C__x_',
  'same',
  'same_2',
  'same_3',
  'same_2_2',
  '\ufffd/_',
];

describe('.npz files of ours', () => {
  it('have names that are safe, each of them once, and say what they changed', () => {
    const writing = NPZ.write(NAMED);
    assert.ok(writing.kind === 'ok');
    assert.deepEqual(writing.notes, [
      `The tensor without a name is called 'arr_0'.`,
      `The tensor '../../etc/passwd' is called '__/__/etc/passwd' in the file.`,
      `The tensor 'C:\\xU+0000' is called 'C__x_' in the file.`,
      `The tensor 'same' is called 'same_2' in the file.`,
      `The tensor 'same' is called 'same_3' in the file.`,
      `The tensor 'same_2' is called 'same_2_2' in the file.`,
      `The tensor 'U+D800/' is called '\ufffd/_' in the file.`,
    ]);
    const reading = NPZ.read(writing.bytes);
    assert.ok(reading.kind === 'ok');
    assert.deepEqual(reading, {
      kind: 'ok',
      tensors: NAMED.map(({ tensor }, at) => ({ name: GIVEN[at], tensor })),
      notes: [],
    });
  });

  it('load in NumPy', () => {
    const tensors = NUMPY_NAMES.map(dtype => ({
      name: `a/${dtype}`,
      tensor: tensorOf(dtype, [2, 0, 3], ''),
    }));
    const file = written(NPZ.write([...NAMED, ...tensors]));
    const loaded = askNumpy(
      'npz-loaded',
      `
import io, zipfile
data = bytes.fromhex(given)
assert zipfile.ZipFile(io.BytesIO(data)).testzip() is None
npz = np.load(io.BytesIO(data))
answer = [given] + [[name, npz[name].dtype.name, list(npz[name].shape), npz[name].tobytes().hex()] for name in npz.files]`,
      hexOf(file),
    );
    assert.deepEqual(loaded, [
      // Where there is no NumPy, these are the bytes that it once loaded.
      hexOf(file),
      ...NAMED.map(({ tensor: { dtype, shape, bytes } }, at) => [GIVEN[at], dtype, shape, hexOf(bytes)]),
      ...NUMPY_NAMES.map(dtype => [`a/${dtype}`, dtype, [2, 0, 3], '']),
    ]);
  });

  it('are the same bytes each time', () => {
    assert.deepEqual(written(NPZ.write(NAMED)), written(NPZ.write(NAMED)));
  });

  it('are refused where .npy cannot name a type, and without a tensor', () => {
    const tensor = tensorOf('bfloat16', [1], '803f');
    assert.deepEqual([NPZ.write([{ name: 'w', tensor }]), NPZ.write([])].map(problemOf), [
      `'w': A .npy file cannot name bfloat16. Cast the tensor to float32, which holds all of its values, or write a safetensors file.`,
      'There is no tensor to write.',
    ]);
  });
});

interface Member {
  readonly name: string;
  readonly packed: Uint8Array;
  readonly size: number;
  readonly crc: number;
  readonly method?: number;
  readonly flags?: number;
  /** Where its entry says that it begins, in place of where it does. */
  readonly at?: number;
}

/** An archive by hand (APPNOTE 4.3): its members one behind the other, and entries that may lie. */
function zip(members: readonly Member[]): Uint8Array {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, packed, size, crc, method = 0, flags = 0, at } of members) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    locals.push(local, Buffer.from(name), Buffer.from(packed));
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at ?? offset, 42);
    entries.push(entry, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...locals, directory, end]));
}

/** NumPy's file of three bytes; its checksum as Python's zlib.crc32 gives it. */
const FILE = written(writeOne(NPY, tensorOf('uint8', [3], '010203')));
const CRC = 0xb18ee32a;
const GOOD: Member = { name: 'x.npy', packed: FILE, size: FILE.length, crc: CRC };

describe('archives that are not as they should be', () => {
  it('are read but for the members that are damaged, which are named', () => {
    const deflated = deflateRawSync(FILE);
    const cut = new Uint8Array(deflated.subarray(0, 20));
    const longer = new Uint8Array(deflateRawSync(concat(FILE, FILE)));
    const members: readonly Member[] = [
      GOOD,
      { ...GOOD, name: 'crc.npy', crc: 1 },
      { ...GOOD, name: 'size.npy', size: 130 },
      { ...GOOD, name: 'secret.npy', flags: 1 },
      { ...GOOD, name: 'lzma.npy', method: 14 },
      { ...GOOD, name: 'odd.npy', method: 99 },
      { ...GOOD, name: 'cut.npy', method: 8, packed: cut },
      { ...GOOD, name: 'longer.npy', method: 8, packed: longer },
      { ...GOOD, name: 'claim.npy', method: 8, packed: new Uint8Array(deflated), size: 5_000 },
      { ...GOOD, name: 'readme.txt', packed: latin1('hello'), size: 5, crc: 0x3610a686 },
      { ...GOOD, name: 'x.npy' },
      { ...GOOD, name: 'without' },
    ];
    assert.deepEqual(show(NPZ.read(zip(members))), {
      tensors: ['x uint8[3] 010203', 'without uint8[3] 010203'],
      notes: [
        `'crc.npy' was not read. It is damaged: its checksum (CRC-32) does not fit.`,
        `'size.npy' was not read. It has 131 bytes, and the directory says 130.`,
        `'secret.npy' was not read. It is encrypted.`,
        `'lzma.npy' was not read. It is compressed by LZMA, and stored and deflated members are read. Save it with np.savez.`,
        `'odd.npy' was not read. It is compressed by method 99, and stored and deflated members are read. Save it with np.savez.`,
        `'cut.npy' was not read. It is damaged: its compressed data are damaged or cut off.`,
        `'longer.npy' was not read. It is damaged: unpacked, it goes on after the 131 bytes of the directory.`,
        `'claim.npy' was not read. It is damaged: its compressed data hold fewer bytes than it claims.`,
        `'readme.txt' was not read. This is not a .npy file: byte 0 is 104, and these files begin with 0x93 and NUMPY.`,
        `Two arrays have the name 'x': the later one was read.`,
      ],
      unread: ['crc', 'size', 'secret', 'lzma', 'odd', 'cut', 'longer', 'claim'],
    });
  });

  it('are refused where no member can be read', () => {
    assert.equal(
      problemOf(NPZ.read(zip([{ ...GOOD, crc: 1 }]))),
      `The archive holds no array that can be read. 'x.npy' was not read. It is damaged: its checksum (CRC-32) does not fit.`,
    );
    assert.equal(problemOf(NPZ.read(zip([]))), 'The archive holds no array that can be read.');
  });

  it('are refused where members overlap, or lie where there is none', () => {
    const next = { ...GOOD, name: 'y.npy' };
    assert.deepEqual(
      [
        NPZ.read(zip([GOOD, { ...next, at: 0 }])),
        NPZ.read(zip([GOOD, { ...next, at: 7 }])),
        NPZ.read(zip([GOOD, { ...next, at: 4_000_000_000 }])),
        NPZ.read(concat(zip([GOOD, next]).subarray(0, 300), zip([]))),
        NPZ.read(latin1('not a zip')),
      ].map(problemOf),
      [
        `The ZIP archive is broken: its member 'y.npy' overlaps the one before it at byte 0.`,
        `The ZIP archive is broken: its member 'y.npy' does not begin at byte 7, as its directory says.`,
        `The ZIP archive is broken: its member 'y.npy' does not begin at byte 4,000,000,000, as its directory says.`,
        'The archive holds no array that can be read.',
        'The file has no directory at its end, as a ZIP archive does: it was cut off, or is another kind of file.',
      ],
    );
  });

  it('are refused where they are cut off at any byte', () => {
    const file = zip([GOOD, { ...GOOD, name: 'y.npy' }]);
    for (let length = 0; length < file.length; length++)
      assert.equal(
        problemOf(NPZ.read(file.subarray(0, length))),
        'The file has no directory at its end, as a ZIP archive does: it was cut off, or is another kind of file.',
      );
  });

  it('that swell cost no more than what they say, or what their bytes can stand for', () => {
    const header = FILE.subarray(0, 128);
    const bomb = new Uint8Array(deflateRawSync(concat(header, new Uint8Array(sized(50_000_000, 500_000)))));
    const claimed = sized(3_000_000, 300_000);
    const cases: readonly (readonly [number, string, number])[] = [
      [131, 'It is damaged: unpacked, it goes on after the 131 bytes of the directory.', 1_000],
      [
        claimed,
        `Its header makes it 131 bytes long, and the directory says ${claimed.toLocaleString('en')}.`,
        3_000,
      ],
      [
        4_000_000_000,
        'It takes 4,000,000,000 bytes unpacked, and an archive is unpacked up to 1,073,741,824. Save it with np.savez, which does not compress.',
        1_000,
      ],
    ];
    for (const [size, problem, most] of cases) {
      const file = zip([{ ...GOOD, method: 8, packed: bomb, size }]);
      const allocated = countAllocated(() => {
        assert.equal(
          problemOf(NPZ.read(file)),
          `The archive holds no array that can be read. 'x.npy' was not read. ${problem}`,
        );
      });
      assert.ok(allocated <= most, `${allocated} bytes for ${size}`);
    }
    const small = zip([{ ...GOOD, method: 8, packed: bytesOf('0300'), size: 900_000_000 }]);
    const allocated = countAllocated(() => {
      assert.match(problemOf(NPZ.read(small)), /its compressed data hold fewer bytes than it claims\.$/);
    });
    assert.ok(allocated <= 5_000, `${allocated} bytes`);
  });
});
