import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import type { DtypeName } from '../../../core/catalog/dtypes.ts';
import {
  bitsOf,
  ELEMENTS,
  readElement,
  showElement,
  viewOf,
  type Element,
  type ElementCodec,
} from '../../../tensor/elements.ts';
import { parseElement } from '../../../tensor/parse-element.ts';
import { printTensor, readTensor } from '../../../tensor/read-tensor.ts';
import { smallFloatTable } from '../../../tensor/small-floats.ts';
import { elementSize, type Tensor } from '../../../tensor/tensor.ts';
import { exactDecimal, readDecimal, type Decimal } from '../../../core/text/exact-decimal.ts';
import { askNumpy } from '../../support/numpy.ts';
import { IS_FULL_SIZE, runs, sized } from '../../support/size.ts';
import { anyTensor, DTYPE_NAMES, hexOf, tensorOf } from './support/tensors.ts';

/** Each type by an array of its own, made by a machine that is little-endian: `np.array(…).tobytes().hex()`. */
const READ: Readonly<Record<DtypeName, readonly [string, readonly Element[], readonly string[]]>> = {
  bool: ['0001ff', [false, true, true], ['false', 'true', 'true']],
  int8: ['807f', [-128, 127], ['-128', '127']],
  int16: ['0080ff7f', [-32768, 32767], ['-32768', '32767']],
  int32: ['00000080ffffff7f', [-2147483648, 2147483647], ['-2147483648', '2147483647']],
  int64: [
    '0000000000000080ffffffffffffff7f',
    [-9223372036854775808n, 9223372036854775807n],
    ['-9223372036854775808', '9223372036854775807'],
  ],
  uint8: ['00ff', [0, 255], ['0', '255']],
  uint16: ['0100ffff', [1, 65535], ['1', '65535']],
  uint32: ['01000000ffffffff', [1, 4294967295], ['1', '4294967295']],
  uint64: ['0100000000000000ffffffffffffffff', [1n, 18446744073709551615n], ['1', '18446744073709551615']],
  float16: [
    '003c662eff7b00800100007c007e',
    [1, 0.0999755859375, 65504, -0, 2 ** -24, Infinity, Number.NaN],
    ['1.0', '0.1', '65500.0', '-0.0', '6e-8', 'inf', 'nan'],
  ],
  bfloat16: [
    '803fcd3d7f7f0080010080ffc07f',
    [1, 0.10009765625, 255 * 2 ** 120, -0, 2 ** -133, -Infinity, Number.NaN],
    ['1.0', '0.1', '3.39e+38', '-0.0', '9e-41', '-inf', 'nan'],
  ],
  float32: [
    '0000803fcdcccc3dffff7f7f0000008001000000000080ff0000c07f0000800f',
    [1, Math.fround(0.1), 3.4028234663852886e38, -0, 2 ** -149, -Infinity, Number.NaN, 2 ** -96],
    ['1.0', '0.1', '3.4028235e+38', '-0.0', '1e-45', '-inf', 'nan', '1.2621775e-29'],
  ],
  float64: [
    '9a9999999999b93f0100000000000000182d4454fb210940',
    [0.1, 5e-324, Math.PI],
    ['0.1', '5e-324', '3.141592653589793'],
  ],
  float8_e4m3fn: ['38017e7f80', [1, 2 ** -9, 448, Number.NaN, -0], ['1.0', '0.002', '450.0', 'nan', '-0.0']],
  float8_e5m2: [
    '3c017b7cfc7f',
    [1, 2 ** -16, 57344, Infinity, -Infinity, Number.NaN],
    ['1.0', '0.00002', '60000.0', 'inf', '-inf', 'nan'],
  ],
  complex64: [
    '0000803fcdccccbd0000c07f0000807f',
    [
      { re: 1, im: Math.fround(-0.1) },
      { re: Number.NaN, im: Infinity },
    ],
    ['1.0-0.1i', 'nan+infi'],
  ],
  complex128: ['0000000000000080' + '9a9999999999b93f', [{ re: -0, im: 0.1 }], ['-0.0+0.1i']],
};

function elementsOf(tensor: Tensor): readonly Element[] {
  return Array.from({ length: tensor.bytes.length / elementSize(tensor.dtype) }, (_, index) =>
    readElement(tensor, index),
  );
}

describe('elements of each data type', () => {
  for (const dtype of DTYPE_NAMES) {
    it(`${dtype}: reads, shows and writes`, () => {
      const [hex, elements, texts] = READ[dtype];
      const tensor = tensorOf(dtype, [elements.length], hex);
      assert.deepEqual(elementsOf(tensor), elements);
      assert.deepEqual(
        elements.map(element => showElement(dtype, element)),
        texts,
      );
    });

    it(`${dtype}: what is read is written back bit for bit, but for the bits of a NaN and of a true`, () => {
      fc.assert(
        fc.property(anyTensor(dtype), tensor => {
          const codec: ElementCodec = ELEMENTS[dtype];
          const copy = { ...tensor, bytes: new Uint8Array(tensor.bytes.length) };
          const elements = elementsOf(tensor);
          elements.forEach((element, index) =>
            codec.write(viewOf(copy), index * elementSize(dtype), element),
          );
          assert.deepEqual(elementsOf(copy), elements);
          for (const [index, element] of elements.entries())
            if (!isLoose(element)) assert.equal(bitsOf(copy, index), bitsOf(tensor, index));
        }),
        { numRuns: runs(100) },
      );
    });

    it(`${dtype}: any bytes travel as Base85 and as bits`, () => {
      fc.assert(
        fc.property(anyTensor(dtype), tensor => {
          assert.deepEqual(readTensor(printTensor(tensor).slice('[t:'.length, -1)), tensor);
          const size = elementSize(dtype);
          for (const index of elementsOf(tensor).keys()) {
            const parsed = parseElement(dtype, bitsOf(tensor, index));
            const bytes = tensor.bytes.slice(index * size, (index + 1) * size);
            assert.deepEqual(parsed, {
              kind: 'ok',
              bytes,
              isExact: true,
              shown: showElement(dtype, readElement(tensor, index)),
            });
          }
        }),
        { numRuns: runs(100) },
      );
    });
  }

  it('an integer type takes the lowest bits of the whole part, of any element', () => {
    const write = (dtype: DtypeName, value: Element): string => {
      const bytes = new Uint8Array(elementSize(dtype));
      const codec: ElementCodec = ELEMENTS[dtype];
      codec.write(new DataView(bytes.buffer), 0, value);
      return hexOf(bytes);
    };
    const values: readonly Element[] = [
      300.9,
      -1.5,
      2n ** 63n + 258n,
      Number.NaN,
      Infinity,
      true,
      { re: 7, im: 9 },
    ];
    assert.deepEqual(
      values.map(value => [write('uint8', value), write('int16', value), write('uint64', value)]),
      [
        ['2c', '2c01', '2c01000000000000'],
        ['ff', 'ffff', 'ffffffffffffffff'],
        ['02', '0201', '0201000000000080'],
        ['00', '0000', '0000000000000000'],
        ['00', '0000', '0000000000000000'],
        ['01', '0100', '0100000000000000'],
        ['07', '0700', '0700000000000000'],
      ],
    );
  });
});

/** NaN, and a bool, of which any byte above 0 is true. */
function isLoose(element: Element): boolean {
  if (typeof element === 'object') return Number.isNaN(element.re) || Number.isNaN(element.im);
  return typeof element === 'boolean' || Number.isNaN(element);
}

/** The numbers that the texts of elements say, as bytes of doubles. */
function digest(dtype: DtypeName, all: readonly bigint[]): string {
  const patterns = all.filter((_, index) => index % STEP === 0);
  const size = elementSize(dtype);
  const tensor = { dtype, shape: [patterns.length], bytes: new Uint8Array(patterns.length * size) };
  const view = viewOf(tensor);
  for (const [index, bits] of patterns.entries())
    for (let at = 0; at < size; at++)
      view.setUint8(index * size + at, Number((bits >> BigInt(8 * at)) & 255n));
  const numbers = Float64Array.from(patterns, (_, index) =>
    Number(showElement(dtype, readElement(tensor, index)).replace('inf', 'Infinity')),
  );
  return createHash('sha256').update(new Uint8Array(numbers.buffer)).digest('hex');
}

/** Powers of two with their neighbours, where rounding is lopsided, and numbers from all over the type. */
function pickPatterns(bits: number, mantissa: number, factor: bigint): readonly bigint[] {
  const end = 1n << BigInt(bits);
  const powers = Array.from(
    { length: 2 ** (bits - mantissa) },
    (_, high) => BigInt(high) << BigInt(mantissa),
  );
  const around = powers.flatMap(power => [power, (power + 1n) % end, (power - 1n + end) % end]);
  return [...around, ...Array.from({ length: 20_000 }, (_, index) => (BigInt(index) * factor) % end)];
}

/** One in so many numbers is looked at: a prime, so that they are of all kinds. */
const STEP = sized(1, 61);

describe('the shortest text of a float', () => {
  it('says the same numbers as NumPy writes: of float16, of float32 and of float64', () => {
    const said = askNumpy(
      IS_FULL_SIZE ? 'shortest' : 'shortest-few',
      `
def digest(kind, size, patterns):
    values = np.frombuffer(b''.join(p.to_bytes(size, 'little') for p in patterns[::given]), dtype=kind)
    shortest = [float(np.format_float_scientific(v, unique=True, trim='-')) for v in values]
    return hashlib.sha256(np.array(shortest, dtype='<f8').tobytes()).hexdigest()

def pick(bits, mantissa, factor):
    end = 1 << bits
    around = [q % end for p in range(2 ** (bits - mantissa)) for q in (p << mantissa, (p << mantissa) + 1, (p << mantissa) - 1)]
    return around + [index * factor % end for index in range(20000)]

answer = {
    'float16': digest('<f2', 2, range(65536)),
    'float32': digest('<f4', 4, pick(32, 23, 2654435761)),
    'float64': digest('<f8', 8, pick(64, 52, 0x9e3779b97f4a7c15)),
}`,
      STEP,
    );
    assert.deepEqual(
      {
        float16: digest(
          'float16',
          Array.from({ length: 65_536 }, (_, bits) => BigInt(bits)),
        ),
        float32: digest('float32', pickPatterns(32, 23, 2654435761n)),
        float64: digest('float64', pickPatterns(64, 52, 0x9e3779b97f4a7c15n)),
      },
      said,
    );
  });

  for (const dtype of ['bfloat16', 'float8_e4m3fn', 'float8_e5m2'] as const) {
    it(`${dtype}: none is shorter and none as short is nearer`, () => {
      const finite = [...smallFloatTable(dtype)].findIndex(value => !Number.isFinite(value));
      const numbers = smallFloatTable(dtype).subarray(0, finite);
      for (let bits = 1; bits < finite; bits += dtype === 'bfloat16' ? STEP : 1) {
        const value = numbers[bits] ?? 0;
        const shown = showElement(dtype, value);
        const above = (value + (numbers[bits + 1] ?? 2 * value - (numbers[bits - 1] ?? 0))) / 2;
        const [low, high] = [
          scale(exactDecimal((value + (numbers[bits - 1] ?? 0)) / 2)),
          scale(exactDecimal(above)),
        ];
        const readsBack = (text: bigint): boolean =>
          bits % 2 === 0 ? low <= text && text <= high : low < text && text < high;
        const text = readDecimal(shown);
        const [is, exact] = [scale(text), scale(exactDecimal(value))];
        assert.ok(readsBack(is), shown);
        const count = text?.digits.length ?? 0;
        assert.deepEqual(around(value, count - 1).filter(readsBack), [], shown);
        const nearer = around(value, count).filter(
          other => readsBack(other) && size(other - exact) < size(is - exact),
        );
        assert.deepEqual(nearer, [], shown);
        assert.equal(showElement(dtype, -value), `-${shown}`);
      }
    });
  }
});

/** A decimal as a whole number of 10^-200: the numbers of small floats, and halfway between them, have fewer places. */
function scale(decimal: Decimal | undefined): bigint {
  return decimal ? BigInt(decimal.digits) * 10n ** BigInt(decimal.exponent + 200) : -1n;
}

/** The two numbers with so many digits around a number; one where it has no more digits itself. */
function around(value: number, count: number): readonly bigint[] {
  const exact = exactDecimal(value);
  if (!exact || count < 1) return [];
  const digits = exact.digits.slice(0, count);
  const exponent = exact.exponent + exact.digits.length - digits.length;
  const unit = 10n ** BigInt(exponent + 200);
  return [BigInt(digits) * unit, (BigInt(digits) + 1n) * unit];
}

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}
