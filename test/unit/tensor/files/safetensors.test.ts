import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { SAFETENSORS } from '../../../../tensor/files/safetensors.ts';
import { readSafetensorsHeader, tensorOfMember } from '../../../../tensor/files/safetensors-header.ts';
import { hexOf, tensorOf } from '../support/tensors.ts';
import { bytesOf, concat, latin1, problemOf, readFixture, show, writeOne, written } from './support.ts';

const FIXTURE = readFixture('weights.safetensors');
const HEADER_END = 8 + Number(new DataView(FIXTURE.buffer).getBigUint64(0, true));

/** A file with a header of our own, written by hand from the format's description. */
function file(header: string, data = ''): Uint8Array {
  const text = Buffer.from(header);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return concat(length, text, bytesOf(data));
}

describe('a .safetensors file', () => {
  it('is read; a type that is not known is named, and so are the metadata', () => {
    assert.deepEqual(show(SAFETENSORS.read(FIXTURE)), {
      tensors: [
        `layer.weight float32[2,3] ${hexOf(new Uint8Array(Float32Array.of(1.5, -2.25, 0, 3e38, -1e-40, 7).buffer))}`,
        'layer.bias bfloat16[4] 803f80bf807fc17f',
        'q float8_e4m3fn[3,1] 387fb8',
        'none int64[0,5] ',
        'one uint8[] c8',
      ],
      notes: [
        `Metadata 'format': 'pt'.`,
        `Metadata 'note': 'größe'.`,
        `'layer.scale' was not read. Its type, F8_E8M0, is not known here.`,
      ],
      unread: ['layer.scale'],
    });
  });

  it('is read by its header alone, which is asked for in two steps', () => {
    const size = FIXTURE.length;
    assert.deepEqual(readSafetensorsHeader(FIXTURE.subarray(0, 7), size), { kind: 'more', needed: 8 });
    assert.deepEqual(readSafetensorsHeader(FIXTURE.subarray(0, 8), size), {
      kind: 'more',
      needed: HEADER_END,
    });
    const reading = readSafetensorsHeader(FIXTURE.subarray(0, HEADER_END), size);
    assert.ok(reading.kind === 'ok');
    const at = (start: number, end: number) => ({ start: HEADER_END + start, end: HEADER_END + end });
    assert.deepEqual(reading, {
      kind: 'ok',
      members: [
        { name: 'layer.weight', dtype: 'float32', shape: [2, 3], ...at(0, 24) },
        { name: 'layer.bias', dtype: 'bfloat16', shape: [4], ...at(24, 32) },
        {
          name: 'layer.scale',
          dtype: 'F8_E8M0',
          shape: [2],
          problem: 'Its type, F8_E8M0, is not known here.',
          ...at(32, 34),
        },
        { name: 'q', dtype: 'float8_e4m3fn', shape: [3, 1], ...at(34, 37) },
        { name: 'none', dtype: 'int64', shape: [0, 5], ...at(37, 37) },
        { name: 'one', dtype: 'uint8', shape: [], ...at(37, 38) },
      ],
      notes: [`Metadata 'format': 'pt'.`, `Metadata 'note': 'größe'.`],
      headerEnd: HEADER_END,
    });
    const [, bias, scale] = reading.members;
    assert.ok(bias && scale);
    const data = FIXTURE.subarray(bias.start, bias.end);
    assert.deepEqual(
      [
        tensorOfMember(bias, data),
        tensorOfMember(bias, data.subarray(1)),
        tensorOfMember(scale, data.subarray(6)),
      ],
      [{ dtype: 'bfloat16', shape: [4], bytes: data }, undefined, undefined],
    );
  });

  it('is refused where it is cut off at any byte', () => {
    for (let length = 0; length < FIXTURE.length; length++)
      assert.match(
        problemOf(SAFETENSORS.read(FIXTURE.subarray(0, length))),
        length < 8
          ? new RegExp(`^The safetensors file has ${length} bytes?, and begins with 8 `)
          : length < HEADER_END
            ? /^The first 8 bytes of the safetensors file claim a header of /
            : /^The safetensors file is broken: its tensor '.*' ends at byte [0-9]+, and the file has [0-9]+: it was cut off\.$/,
        `${length} bytes`,
      );
  });

  const one = `"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}`;
  const broken: readonly (readonly [string, Uint8Array])[] = [
    [
      'The first 8 bytes of the safetensors file claim a header of 72,057,594,037,927,936 bytes, and the format allows 100,000,000: it was cut off, or is another kind of file.',
      bytesOf('0000000000000001 7b7d'),
    ],
    [
      'The header of the safetensors file is not UTF-8: byte 10 begins no character.',
      concat(bytesOf('0400000000000000'), latin1('{"\xff}')),
    ],
    [
      'The header of the safetensors file is broken at character 0: a value was expected, but the end was found.',
      file(''),
    ],
    [
      `The header of the safetensors file is broken at character 1: a name in quotes was expected, but ''' was found.`,
      file(`{'a': 1}`),
    ],
    [
      `The header of the safetensors file is broken at character 53: '}' follows ','.`,
      file(`{${one},}`, '0102'),
    ],
    [
      `The header of the safetensors file is broken at character 53: the name 'a' occurs twice.`,
      file(`{${one},${one}}`, '0102'),
    ],
    [
      `The header of the safetensors file is broken at character 6: the text in quotes is not written as JSON writes it.`,
      file(`{"a": "\\x"}`),
    ],
    ['The header of the safetensors file is not a JSON object.', file('[]')],
    [`The safetensors file is broken: its tensor 'a' is not described by a JSON object.`, file('{"a":1}')],
    [`The safetensors file is broken: its tensor 'a' has no dtype.`, file('{"a":{}}')],
    [
      `The safetensors file is broken: its tensor 'a' has no shape, a list of sizes.`,
      file('{"a":{"dtype":"U8","shape":[-1]}}'),
    ],
    [
      `The safetensors file is broken: its tensor 'a' has no data_offsets, a list of two offsets.`,
      file('{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,1,2]}}'),
    ],
    [
      `The safetensors file is broken: its tensor 'a' ends before it begins: its data_offsets are 2 and 0.`,
      file('{"a":{"dtype":"U8","shape":[2],"data_offsets":[2,0]}}', '0102'),
    ],
    [
      `The safetensors file is broken: its tensor 'a' has 2 bytes, and F32 with the shape [300, 250000] takes 300,000,000.`,
      file('{"a":{"dtype":"F32","shape":[300,250000],"data_offsets":[0,2]}}', '0102'),
    ],
    [
      `The safetensors file is broken: its tensors 'a' and 'b' overlap at byte 114.`,
      file(`{${one},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}`, '010203'),
    ],
  ];
  for (const [problem, bytes] of broken)
    it(`that is broken is refused: ${problem.slice(0, 110)}`, () => {
      assert.equal(problemOf(SAFETENSORS.read(bytes)), problem);
    });

  it('with bytes that belong to no tensor, or odd metadata, is read and says so', () => {
    assert.deepEqual(show(SAFETENSORS.read(file(`{"__metadata__":{"n":1},${one}}`, '01020304'))), {
      tensors: ['a uint8[2] 0102'],
      notes: [
        `Metadata 'n' is not a text, and was not read.`,
        '2 bytes of the file belong to no tensor: the safetensors library refuses such a file.',
      ],
    });
    assert.deepEqual(show(SAFETENSORS.read(file('{"__metadata__":[]}'))), {
      tensors: [],
      notes: ['The metadata of the file are not a JSON object, and were not read.'],
    });
  });
});

describe('a .safetensors file of ours', () => {
  it('is laid out as the reference does: the widest types first, then by name, after a header of whole eights', () => {
    const names = ['\u{10000}', '\uffff', 'b', 'a'];
    const tensors = [
      ...names.map((name, at) => ({ name, tensor: tensorOf('uint8', [1], `0${at}`) })),
      { name: 'x', tensor: tensorOf('float32', [1, 1], '0000803f') },
      { name: 'y', tensor: tensorOf('int64', [], '0700000000000000') },
      { name: 'z', tensor: tensorOf('float8_e4m3fn', [0], '') },
    ];
    const header =
      '{"y":{"dtype":"I64","shape":[],"data_offsets":[0,8]},' +
      '"x":{"dtype":"F32","shape":[1,1],"data_offsets":[8,12]},' +
      '"z":{"dtype":"F8_E4M3","shape":[0],"data_offsets":[12,12]},' +
      '"a":{"dtype":"U8","shape":[1],"data_offsets":[12,13]},' +
      '"b":{"dtype":"U8","shape":[1],"data_offsets":[13,14]},' +
      '"\uffff":{"dtype":"U8","shape":[1],"data_offsets":[14,15]},' +
      '"\u{10000}":{"dtype":"U8","shape":[1],"data_offsets":[15,16]}}';
    const padded = header + ' '.repeat((8 - (Buffer.byteLength(header) % 8)) % 8);
    assert.notEqual(padded, header);
    const writing = SAFETENSORS.write(tensors);
    assert.ok(writing.kind === 'ok');
    assert.deepEqual(
      [hexOf(writing.bytes), writing.notes],
      [hexOf(file(padded, '0700000000000000 0000803f 03020100')), []],
    );
  });

  it('names what has no name or the name of the metadata, and says so', () => {
    const tensor = tensorOf('bool', [1], '01');
    const writing = SAFETENSORS.write(['', '__metadata__', 'a"\n'].map(name => ({ name, tensor })));
    assert.ok(writing.kind === 'ok');
    assert.deepEqual(writing.notes, [
      `The tensor without a name is called 'tensor_0'.`,
      `The tensor '__metadata__' is called '__metadata___' in the file.`,
    ]);
    assert.deepEqual(show(SAFETENSORS.read(writing.bytes)), {
      tensors: ['__metadata___ bool[1] 01', 'a"\n bool[1] 01', 'tensor_0 bool[1] 01'],
      notes: [],
    });
  });

  it('is refused for a type that it cannot name, and without a tensor', () => {
    assert.deepEqual(
      [writeOne(SAFETENSORS, tensorOf('complex128', [0], '')), SAFETENSORS.write([])].map(problemOf),
      [
        'A safetensors file cannot name complex128. Write an .npy or .npz file, or cast the tensor to complex64, which rounds its values.',
        'There is no tensor to write.',
      ],
    );
    assert.equal(written(writeOne(SAFETENSORS, tensorOf('complex64', [0], ''))).length % 8, 0);
  });
});
