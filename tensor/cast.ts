import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import { showCount } from '../core/text/count.ts';
import { ELEMENTS, imaginaryPart, realPart, viewOf, type Element, type ElementCodec } from './elements.ts';
import { elementSize, type Tensor } from './tensor.ts';

/** What a cast does to a value that it changes; where several are true of one value, the first in this order. */
export type LossKind =
  /** A complex number with an imaginary part other than 0 becomes a real one. */
  | 'imaginaryLost'
  /** NaN becomes an integer, 0, or a bool, true. */
  | 'nanLost'
  /** An integer type does not reach so far, or a bool is neither 0 nor 1. */
  | 'outOfRange'
  | 'fractionLost'
  /** A float type does not reach so far: infinity, or NaN in a type that has none. */
  | 'overflowed'
  /** The nearest number is another one; a complex number has such a part. */
  | 'rounded';

export interface KindLoss {
  readonly kind: LossKind;
  /** How many elements. */
  readonly count: number;
  /** The first of them, by its index in row-major order. */
  readonly first: number;
}

export interface CastLoss {
  /** The type that is cast to. */
  readonly dtype: DtypeName;
  readonly elements: number;
  /** The kinds that occurred, each element in one of them, in the order of `LossKind`. */
  readonly losses: readonly KindLoss[];
}

export interface Cast {
  readonly tensor: Tensor;
  readonly loss: CastLoss;
}

/**
 * The same elements in another type, as NumPy's `astype` makes them, and what that changed.
 *
 * - To a bool: true unless it is 0; NaN is true.
 * - To an integer: the part before the point, of which the lowest bits are kept where it does not fit (300 is 44 as uint8).
 *   From a float NumPy leaves that to the machine; here it is the same rule as from an integer, and NaN and infinities
 *   become 0.
 * - To a float: the nearest, ties to the even one, rounded once, from 64-bit integers too; what is too large becomes
 *   infinity, or NaN in float8_e4m3fn.
 * - To a complex number: the same with an imaginary part of 0. From one: its real part.
 *
 * NaN stays NaN from float to float, with the bits that the type's NaN usually has. A cast to the tensor's own type
 * keeps its bytes. 64-bit integers go through a double nowhere.
 */
export function castTensor(tensor: Tensor, dtype: DtypeName): Cast {
  const [from, to] = [elementSize(tensor.dtype), elementSize(dtype)];
  const elements = tensor.bytes.length / from;
  if (tensor.dtype === dtype) return { tensor, loss: { dtype, elements, losses: [] } };
  const cast = { dtype, shape: tensor.shape, bytes: new Uint8Array(elements * to) };
  const [source, target] = [viewOf(tensor), viewOf(cast)];
  const { read }: ElementCodec = ELEMENTS[tensor.dtype];
  const codec: ElementCodec = ELEMENTS[dtype];
  const kind = findDtype(dtype)?.kind ?? 'float';
  const found = new Map<LossKind, { count: number; first: number }>();
  for (let index = 0; index < elements; index++) {
    const element = read(source, index * from);
    codec.write(target, index * to, element);
    const loss = findLoss(element, codec.read(target, index * to), kind);
    if (loss === undefined) continue;
    const known = found.get(loss);
    if (known) known.count++;
    else found.set(loss, { count: 1, first: index });
  }
  const losses = LOSS_KINDS.flatMap(loss => {
    const known = found.get(loss);
    return known ? [{ kind: loss, ...known }] : [];
  });
  return { tensor: cast, loss: { dtype, elements, losses } };
}

type DtypeKind = NonNullable<ReturnType<typeof findDtype>>['kind'];

/** What became of an element; undefined where its value is the same. */
function findLoss(from: Element, to: Element, kind: DtypeKind): LossKind | undefined {
  const [real, stored] = [realPart(from), realPart(to)];
  if (kind === 'float' || kind === 'complex') {
    if (kind === 'float' && imaginaryPart(from) !== 0) return 'imaginaryLost';
    const [re, im] = [findFloatLoss(real, stored), findFloatLoss(imaginaryPart(from), imaginaryPart(to))];
    return re === 'overflowed' ? re : (im ?? re);
  }
  if (imaginaryPart(from) !== 0) return 'imaginaryLost';
  if (isSame(real, stored)) return undefined;
  if (Number.isNaN(real)) return 'nanLost';
  const isWhole = kind === 'bool' || typeof real === 'bigint' || !isSame(Math.trunc(real), stored);
  return isWhole ? 'outOfRange' : 'fractionLost';
}

function findFloatLoss(from: number | bigint, to: number | bigint): LossKind | undefined {
  if (isSame(from, to)) return undefined;
  return Number.isFinite(to) ? 'rounded' : 'overflowed';
}

/** The same number, a bigint and a double compared exactly; NaN is the same as NaN. */
function isSame(a: number | bigint, b: number | bigint): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  return !(a < b) && !(a > b);
}

/** The words for each kind, by how many; a table, so that each kind has its own and the order stands once. */
const LOSS_WORDS: Readonly<Record<LossKind, (count: number, dtype: DtypeName) => string>> = {
  imaginaryLost: count => (count === 1 ? 'loses its imaginary part' : 'lose their imaginary part'),
  nanLost: (count, dtype) => `${count === 1 ? 'is' : 'are'} NaN, which ${dtype} does not have`,
  outOfRange: (count, dtype) => `${count === 1 ? 'does' : 'do'} not fit ${dtype}`,
  fractionLost: count => (count === 1 ? 'loses its fraction' : 'lose their fraction'),
  overflowed: (count, dtype) => {
    const verb = count === 1 ? 'becomes' : 'become';
    return dtype === 'float8_e4m3fn' ? `${verb} NaN` : `${verb} infinite`;
  },
  rounded: count => (count === 1 ? 'is rounded' : 'are rounded'),
};

const LOSS_KINDS: readonly LossKind[] = [
  'imaginaryLost',
  'nanLost',
  'outOfRange',
  'fractionLost',
  'overflowed',
  'rounded',
];

/**
 * What a cast changes, in one sentence: `12 of 600 values change: 10 lose their fraction, 2 do not fit int8`; undefined
 * where it changes nothing.
 */
export function describeLoss({ dtype, elements, losses }: CastLoss): string | undefined {
  if (losses.length === 0) return undefined;
  const changed = losses.reduce((sum, { count }) => sum + count, 0);
  const parts = losses.map(({ kind, count }) => `${showCount(count)} ${LOSS_WORDS[kind](count, dtype)}`);
  const [values, verb] = [elements === 1 ? 'value' : 'values', changed === 1 ? 'changes' : 'change'];
  return `${showCount(changed)} of ${showCount(elements)} ${values} ${verb}: ${parts.join(', ')}`;
}
