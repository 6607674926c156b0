import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import { readElement, showElement } from '../../../tensor/elements.ts';
import { parseElement } from '../../../tensor/parse-element.ts';
import { anyTensor, DTYPE_NAMES, hexOf, tensorOf } from './support/tensors.ts';

/** What is typed and the bytes that are stored; a third text is what shows where that is another number. */
const STORED: Readonly<Record<DtypeName, readonly (readonly [string, string, string?])[]>> = {
  bool: [
    ['true', '01'],
    [' False ', '00'],
    ['1', '01'],
    ['0', '00'],
    ['0x07', '07'],
  ],
  int8: [
    ['-128', '80'],
    ['+127', '7f'],
    ['0x80', '80'],
    ['−5', 'fb'],
    ['-0', '00'],
  ],
  int16: [['-2', 'feff']],
  int32: [['-2147483648', '00000080']],
  int64: [
    ['-9223372036854775808', '0000000000000080'],
    ['9007199254740993', '0100000000002000'],
  ],
  uint8: [['0000255', 'ff']],
  uint16: [['65535', 'ffff']],
  uint32: [['4294967295', 'ffffffff']],
  uint64: [['18446744073709551615', 'ffffffffffffffff']],
  float16: [
    ['65504', 'ff7b'],
    ['65519.99', 'ff7b', '65500.0'],
    ['1e-9', '0000', '0.0'],
    ['-1e-9', '0080', '-0.0'],
    ['0x7e01', '017e'],
    // Around the middle between 1 and the next number, by less than a double can tell.
    ['1.0004882812500000000000001', '013c', '1.001'],
    ['1.00048828125', '003c', '1.0'],
    ['1.0004882812499999999999999', '003c', '1.0'],
    ['-1.0004882812500000000000001', '01bc', '-1.001'],
  ],
  bfloat16: [['1.01', '813f']],
  float32: [
    ['0.1', 'cdcccc3d'],
    ['.5', '0000003f'],
    ['3.', '00004040'],
    ['1E2', '0000c842'],
    ['0.10000000149011612', 'cdcccc3d', '0.1'],
    ['0.100000001490116119384765625', 'cdcccc3d'],
    ['16777217', '0000804b', '16777216.0'],
    ['1e-46', '00000000', '0.0'],
    ['-0', '00000080'],
    ['inf', '0000807f'],
    ['-Infinity', '000080ff'],
    ['NaN', '0000c07f'],
    ['0xFFC00001', '0100c0ff'],
  ],
  float64: [
    ['0.1', '9a9999999999b93f'],
    ['0.1000000000000000055511151231257827021181583404541015625', '9a9999999999b93f'],
    ['0.10000000000000001', '9a9999999999b93f', '0.1'],
    ['1e23', 'f64ae1c7022db544'],
    ['5e-324', '0100000000000000'],
    ['-1e-999999999', '0000000000000080', '-0.0'],
  ],
  float8_e4m3fn: [
    ['448', '7e'],
    ['464', '7e', '450.0'],
    ['0.3', '2a'],
  ],
  float8_e5m2: [
    ['-inf', 'fc'],
    ['61439', '7b', '60000.0'],
  ],
  complex64: [
    ['1+2i', '0000803f00000040'],
    ['(1-2j)', '0000803f000000c0'],
    [' 1.5e+1 - .5J ', '00007041000000bf'],
    ['2i', '0000000000000040'],
    ['-2i', '00000000000000c0'],
    ['3', '0000404000000000'],
    ['inf+nani', '0000807f0000c07f'],
    ['-infinity-infi', '000080ff000080ff'],
    ['0x400000003f800000', '0000803f00000040'],
    ['1+16777217i', '0000803f0000804b', '1.0+16777216.0i'],
  ],
  complex128: [['-0+1i', '0000000000000080000000000000f03f']],
};

const REFUSED: readonly (readonly [DtypeName, string, string])[] = [
  ['bool', '2', `'2' is neither true nor false`],
  ['uint8', '300', '300 does not fit uint8: 0 to 255'],
  ['int8', '-129', '-129 does not fit int8: -128 to 127'],
  ['int8', '1.0', `'1.0' is not an integer: int8 takes -128 to 127, or its bits as 0x and 2 digits`],
  ['int8', '', `'' is not an integer: int8 takes -128 to 127, or its bits as 0x and 2 digits`],
  ['uint64', '18446744073709551616', '18446744073709551616 does not fit uint64: 0 to 18446744073709551615'],
  ['uint64', '9'.repeat(50), `${'9'.repeat(40)}… does not fit uint64: 0 to 18446744073709551615`],
  ['float16', '65520', '65520 does not fit float16: -65500.0 to 65500.0'],
  ['float32', '-1e39', '-1e39 does not fit float32: -3.4028235e+38 to 3.4028235e+38'],
  ['float64', '1e309', '1e309 does not fit float64: -1.7976931348623157e+308 to 1.7976931348623157e+308'],
  ['float8_e4m3fn', 'inf', 'float8_e4m3fn has no infinity: -450.0 to 450.0'],
  ['float8_e4m3fn', '464.00001', '464.00001 does not fit float8_e4m3fn: -450.0 to 450.0'],
  ['float32', '1,5', `'1,5' is not a number such as -1.5e-3; nor bits, which are 0x and 8 digits`],
  ['float32', '-nan', `'-nan' is not a number such as -1.5e-3; nor bits, which are 0x and 8 digits`],
  ['float32', '.', `'.' is not a number such as -1.5e-3; nor bits, which are 0x and 8 digits`],
  ['float32', '0x1', `The bits of float32 are 8 digits after 0x; '0x1' has 1`],
  ['float32', '0x3f80000g', `'0x3f80000g' is not a hexadecimal number`],
  ['float64', '1'.repeat(1001), 'An element of more than 1,000 characters is not read'],
  ['complex64', '1+2', `'1+2' is not a number such as 1.5-2i; nor bits, which are 0x and 16 digits`],
  ['complex64', '', `'' is not a number such as 1.5-2i; nor bits, which are 0x and 16 digits`],
  ['complex64', '1+1e39i', '+1e39 does not fit float32: -3.4028235e+38 to 3.4028235e+38'],
];

describe('an element as a person types it', () => {
  for (const dtype of DTYPE_NAMES) {
    it(`${dtype}: is stored, and reported if it is not what was typed`, () => {
      const found = STORED[dtype].map(([typed]) => parseElement(dtype, typed));
      const wanted = STORED[dtype].map(([, hex, rounded]) => {
        const tensor = tensorOf(dtype, [], hex);
        const shown = rounded ?? showElement(dtype, readElement(tensor, 0));
        return { kind: 'ok', bytes: tensor.bytes, isExact: rounded === undefined, shown };
      });
      assert.deepEqual(found, wanted);
    });

    it(`${dtype}: what is shown is read back, but for the bits of a NaN and of a true`, () => {
      fc.assert(
        fc.property(anyTensor(dtype, 1), tensor => {
          if (tensor.bytes.length === 0) return;
          const shown = showElement(dtype, readElement(tensor, 0));
          const parsed = parseElement(dtype, shown);
          assert.ok(parsed.kind === 'ok');
          const { isExact, bytes } = parsed;
          assert.deepEqual({ isExact, shown: parsed.shown }, { isExact: true, shown });
          if (!shown.includes('nan') && dtype !== 'bool') assert.equal(hexOf(bytes), hexOf(tensor.bytes));
        }),
      );
    });
  }

  for (const [dtype, typed, problem] of REFUSED) {
    it(`${dtype}: refuses ${typed.slice(0, 30)} and says what is allowed`, () => {
      assert.deepEqual(parseElement(dtype, typed), { kind: 'fault', problem });
    });
  }

  it('never fails on any text', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9.eEinfaxj() ]{0,12}$/));
    fc.assert(
      fc.property(fc.constantFrom(...DTYPE_NAMES), text, (dtype, typed) => {
        const parsed = parseElement(dtype, typed);
        assert.ok(parsed.kind === 'fault' ? parsed.problem !== '' : parsed.shown !== '');
      }),
    );
  });
});
