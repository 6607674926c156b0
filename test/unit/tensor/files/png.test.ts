import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decode, encode } from 'fast-png';
import { describe, it } from 'mocha';
import { PNG } from '../../../../tensor/files/png.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';
import { hexOf, tensorOf } from '../support/tensors.ts';
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
import { runs, sized } from '../../../support/size.ts';

/** How long a side of any picture is. */
const LONGEST = sized(20, 9);

const WIDTH = 13;
const HEIGHT = 11;

/** The samples of the fixtures, as their README says. */
function sample(depth: number, y: number, x: number, channel: number): number {
  const value = y * 37 + x * 11 + channel * 101 + Math.floor((y * x) / 3) * 7;
  return (value * (depth === 16 ? 257 : 1)) % 2 ** depth;
}

type Pixel = (y: number, x: number) => readonly number[];

/** What a picture holds, as `show` shows it. */
function image(dtype: 'bool' | 'uint8' | 'uint16', pixel: Pixel): string {
  const values: number[] = [];
  for (let y = 0; y < HEIGHT; y++) for (let x = 0; x < WIDTH; x++) values.push(...pixel(y, x));
  const channels = pixel(0, 0).length;
  const bytes =
    dtype === 'uint16' ? new Uint8Array(Uint16Array.from(values).buffer) : Uint8Array.from(values);
  return ` ${dtype}[${HEIGHT},${WIDTH}${channels > 1 ? `,${channels}` : ''}] ${hexOf(bytes)}`;
}

function samples(depth: number, channels: number): Pixel {
  return (y, x) => Array.from({ length: channels }, (_, channel) => sample(depth, y, x, channel));
}

const colour = (index: number): readonly number[] =>
  [0, 1, 2].map(channel => (index * 5 + channel * 70) % 256);
const KEY = [0, 1, 2].map(channel => sample(16, 2, 3, channel));

const FIXTURES: readonly (readonly [string, string, readonly string[]])[] = [
  ['grey-1', image('bool', samples(1, 1)), []],
  ['grey-1-interlaced', image('bool', samples(1, 1)), []],
  [
    'grey-2',
    image('uint8', (y, x) => [sample(2, y, x, 0) * 85]),
    ['Samples of 2 bits were multiplied by 85.'],
  ],
  [
    'grey-4',
    image('uint8', (y, x) => [sample(4, y, x, 0) * 17]),
    ['Samples of 4 bits were multiplied by 17.'],
  ],
  [
    'grey-4-key',
    image('uint8', (y, x) => [sample(4, y, x, 0) * 17, sample(4, y, x, 0) === 11 ? 0 : 255]),
    ['Samples of 4 bits were multiplied by 17.', 'The transparent colour became an alpha channel.'],
  ],
  ['grey-8', image('uint8', samples(8, 1)), []],
  ['grey-16', image('uint16', samples(16, 1)), []],
  ['grey-16-interlaced', image('uint16', samples(16, 1)), []],
  ['grey-alpha-8', image('uint8', samples(8, 2)), []],
  ['grey-alpha-16', image('uint16', samples(16, 2)), []],
  ['rgb-8', image('uint8', samples(8, 3)), []],
  ['rgb-8-interlaced', image('uint8', samples(8, 3)), []],
  [
    'rgb-8-chunks',
    image('uint8', samples(8, 3)),
    ['Not read: gAMA and tEXt. The samples are the numbers that the file holds.'],
  ],
  ['rgb-16', image('uint16', samples(16, 3)), []],
  [
    'rgb-16-key',
    image('uint16', (y, x) => {
      const pixel = samples(16, 3)(y, x);
      return [...pixel, pixel.join() === KEY.join() ? 0 : 65_535];
    }),
    ['The transparent colour became an alpha channel.'],
  ],
  ['rgba-8', image('uint8', samples(8, 4)), []],
  ['rgba-16', image('uint16', samples(16, 4)), []],
  [
    'palette-4',
    image('uint8', (y, x) => colour(sample(4, y, x, 0))),
    ['The palette of 16 colours was expanded to 3 channels.'],
  ],
  [
    'palette-4-alpha',
    image('uint8', (y, x) => [...colour(sample(4, y, x, 0)), [0, 80, 160][sample(4, y, x, 0)] ?? 255]),
    ['The palette of 16 colours was expanded to 4 channels.'],
  ],
];

describe('a .png file', () => {
  for (const [name, tensor, notes] of FIXTURES)
    it(`is read: ${name}`, () => {
      assert.deepEqual(show(PNG.read(readFixture(`${name}.png`))), { tensors: [tensor], notes });
    });

  it('of another encoder is read, interlaced or not', () => {
    const size = fc.integer({ min: 1, max: LONGEST });
    const form = fc.constantFrom('null' as const, 'Adam7' as const);
    fc.assert(
      fc.property(
        size,
        size,
        fc.integer({ min: 1, max: 4 }),
        form,
        fc.constantFrom(8 as const, 16 as const),
        fc.nat(),
        (width, height, channels, interlace, depth, seed) => {
          const length = width * height * channels;
          const data = depth === 8 ? new Uint8Array(length) : new Uint16Array(length);
          for (let at = 0; at < length; at++) data[at] = Math.imul(at + seed, 2_654_435_761) >>> 7;
          const file = encode({ width, height, channels, depth, data }, { interlace });
          const shape = [height, width, ...(channels === 1 ? [] : [channels])];
          assert.deepEqual(PNG.read(new Uint8Array(file)), {
            kind: 'ok',
            tensors: [
              { name: '', tensor: { dtype: `uint${depth}`, shape, bytes: new Uint8Array(data.buffer) } },
            ],
            notes: [],
          });
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

const pictures: fc.Arbitrary<Tensor> = fc
  .tuple(
    fc.constantFrom('uint8' as const, 'uint16' as const),
    fc.integer({ min: 1, max: LONGEST }),
    fc.integer({ min: 1, max: LONGEST }),
    fc.integer({ min: 0, max: 4 }),
  )
  .chain(([dtype, height, width, channels]) => {
    const shape = channels === 0 ? [height, width] : [height, width, channels];
    const length = height * width * Math.max(1, channels) * (dtype === 'uint8' ? 1 : 2);
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map(bytes => ({ dtype, shape, bytes: new Uint8Array(bytes) }));
  });

describe('a .png file of ours', () => {
  it('is read by another decoder, every sample as it was', () => {
    fc.assert(
      fc.property(pictures, tensor => {
        const [height, width, channels = 1] = tensor.shape;
        const picture = decode(written(writeOne(PNG, tensor)), { checkCrc: true });
        const { buffer, byteOffset, byteLength } = picture.data;
        assert.deepEqual(
          [
            picture.height,
            picture.width,
            picture.channels,
            picture.depth,
            new Uint8Array(buffer, byteOffset, byteLength),
          ],
          [height, width, channels, tensor.dtype === 'uint8' ? 8 : 16, tensor.bytes],
        );
      }),
      { numRuns: runs(100) },
    );
  });

  it('reads back as it was, but for a last axis of 1, which is said', () => {
    fc.assert(
      fc.property(pictures, tensor => {
        const writing = writeOne(PNG, tensor);
        assert.ok(writing.kind === 'ok');
        const [height, width, channels] = tensor.shape;
        const shape = channels === 1 ? [height, width] : tensor.shape;
        assert.deepEqual(PNG.read(writing.bytes), {
          kind: 'ok',
          tensors: [{ name: '', tensor: { ...tensor, shape } }],
          notes: [],
        });
        assert.deepEqual(
          writing.notes,
          channels === 1
            ? [`A .png file does not keep the last axis: it reads back as [${height}, ${width}].`]
            : [],
        );
      }),
      { numRuns: runs(100) },
    );
  });

  it('of bool has one bit a sample', () => {
    const writing = writeOne(PNG, tensorOf('bool', [2, 9], '010001000100010001000000000000000002'));
    assert.ok(writing.kind === 'ok');
    assert.deepEqual(writing.notes, ['Bytes above 1 are written as 1: true.']);
    assert.equal(writing.bytes[24], 1);
    assert.deepEqual([...decode(writing.bytes).data], [0b10101010, 0b10000000, 0, 0b10000000]);
    assert.deepEqual(show(PNG.read(writing.bytes)), {
      tensors: [' bool[2,9] 010001000100010001000000000000000001'],
      notes: [],
    });
  });

  it('is refused for tensors that are no pictures', () => {
    assert.deepEqual(
      [
        tensorOf('float32', [1, 1], '0000803f'),
        tensorOf('uint8', [3], '010203'),
        tensorOf('uint8', [1, 1, 5], '0102030405'),
        tensorOf('uint8', [3, 0], ''),
        tensorOf('bool', [1, 1, 3], '010101'),
      ].map(tensor => problemOf(writeOne(PNG, tensor))),
      [
        'A .png file holds uint8, uint16 or bool, and the tensor is float32. Scale it to 0 to 255, and cast it to uint8.',
        'A .png file holds [height, width] or [height, width, channels] with 1 to 4 channels, and the tensor has the shape [3]. Slice it, or bring its axes in this order.',
        'A .png file holds [height, width] or [height, width, channels] with 1 to 4 channels, and the tensor has the shape [1, 1, 5]. Slice it, or bring its axes in this order.',
        'A .png file holds pictures from 1 to 2^31-1 pixels a side, and the tensor has the shape [3, 0].',
        'A .png file holds bool for one channel, and the tensor has 3. Cast it to uint8.',
      ],
    );
  });
});

function chunk(type: string, data: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = concat(latin1(type), data);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  return concat(length, body, crc);
}

const SIGNATURE = bytesOf('89504e470d0a1a0a');
const END = chunk('IEND', new Uint8Array(0));
const header = (hex: string): Uint8Array => chunk('IHDR', bytesOf(hex));
const data = (hex: string): Uint8Array => chunk('IDAT', new Uint8Array(deflateSync(bytesOf(hex))));
/** One grey pixel of 8 bits. */
const ONE = header('00000001 00000001 08 00 00 00 00');

describe('a .png file that is not as it should be', () => {
  it('is refused where it is cut off at any byte', () => {
    const file = readFixture('rgb-8-chunks.png');
    for (let length = 0; length < file.length; length++)
      assert.match(
        problemOf(PNG.read(file.subarray(0, length))),
        length < 8
          ? /^This is not a PNG file: it does not begin with the signature of one\.$/
          : /^The PNG file was cut off: it ends inside the chunk at byte [0-9]+\.$/,
        `${length} bytes`,
      );
  });

  it('with more than it needs is read and says so', () => {
    assert.deepEqual(show(PNG.read(concat(SIGNATURE, ONE, data('000708'), END, latin1('more')))), {
      tensors: [' uint8[1,1] 07'],
      notes: [
        'Data after the last row were not read.',
        '4 bytes after the end of the picture were not read.',
      ],
    });
  });

  const damaged = readFixture('grey-8.png').map((byte, at) => (at === 60 ? byte ^ 1 : byte));
  const refused: readonly (readonly [string, Uint8Array])[] = [
    ['The PNG file is damaged: the checksum of its chunk IDAT at byte 33 does not fit.', damaged],
    ['The PNG file begins with the chunk IEND, and IHDR has to be the first.', concat(SIGNATURE, END)],
    [
      `The PNG file is broken: no chunk begins at byte 8 ('0000').`,
      concat(SIGNATURE, latin1('\0\0\0\x010000xxxxxxxx')),
    ],
    [
      'The PNG file needs its chunk ABCD to be understood, which is not known here.',
      concat(SIGNATURE, ONE, chunk('ABCD', bytesOf('')), END),
    ],
    [
      'The PNG file is broken: its header has 0 bytes in place of 13.',
      concat(SIGNATURE, chunk('IHDR', bytesOf('')), END),
    ],
    [
      'The PNG file is broken: its picture would be 0 by 1 pixels.',
      concat(SIGNATURE, header('00000000 00000001 08 00 00 00 00'), END),
    ],
    [
      'The PNG file is broken: there is no colour type 2 with 4 bits a sample.',
      concat(SIGNATURE, header('00000001 00000001 04 02 00 00 00'), END),
    ],
    [
      'The PNG file is broken: there is no colour type 9 with 8 bits a sample.',
      concat(SIGNATURE, header('00000001 00000001 08 09 00 00 00'), END),
    ],
    [
      'The PNG file is packed in a way that is not known here: compression 0, filter 0, interlace 2.',
      concat(SIGNATURE, header('00000001 00000001 08 00 00 00 02'), END),
    ],
    ['The PNG file is broken: its picture is not packed by zlib.', concat(SIGNATURE, ONE, END)],
    [
      'The PNG file is broken: its compressed data hold fewer bytes than it claims.',
      concat(SIGNATURE, ONE, data('00'), END),
    ],
    [
      'The PNG file is broken: a row of its picture has an unknown filter.',
      concat(SIGNATURE, ONE, data('0507'), END),
    ],
    [
      'The PNG file is broken: pixel 0 has colour 7, and its palette has 1.',
      concat(
        SIGNATURE,
        header('00000001 00000001 08 03 00 00 00'),
        chunk('PLTE', bytesOf('010203')),
        data('0007'),
        END,
      ),
    ],
  ];
  for (const [problem, file] of refused)
    it(`is refused: ${problem}`, () => {
      assert.equal(problemOf(PNG.read(file)), problem);
    });

  it('allocates no more than its bytes can stand for', () => {
    const claims: readonly (readonly [string, string])[] = [
      [
        '7fffffff 7fffffff 10 06 00 00 00',
        'The picture has 2,147,483,647 by 2,147,483,647 pixels, 18,446,744,056,529,682,436 samples, and is read up to 268,435,456.',
      ],
      [
        '00004000 00004000 08 00 00 00 00',
        'The PNG file is broken: its compressed data hold fewer bytes than it claims.',
      ],
    ];
    for (const [hex, problem] of claims) {
      const file = concat(SIGNATURE, header(hex), data('00'), END);
      const allocated = countAllocated(() => assert.equal(problemOf(PNG.read(file)), problem));
      assert.ok(allocated < 1_000, `${allocated} bytes`);
    }
  });
});
