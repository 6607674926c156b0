import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import { showCount } from '../core/text/count.ts';
import { ELEMENTS, imaginaryPart, realPart, viewOf, type Element, type ElementCodec } from './elements.ts';
import { elementSize, type Tensor } from './tensor.ts';

/** How a cast changes a value. If several kinds apply to a value, the first one in this order is counted. */
export type LossKind =
  /** A complex number with a non-zero imaginary part becomes a real one. */
  | 'imaginaryLost'
  /** NaN becomes 0 in an integer type or true in bool. */
  | 'nanLost'
  /** The value is outside the range of the integer type, or is neither 0 nor 1 and becomes a bool. */
  | 'outOfRange'
  | 'fractionLost'
  /** The value is outside the range of the float type and becomes infinity, or NaN in a type without infinity. */
  | 'overflowed'
  /** The value is rounded; for a complex number, one of its parts. */
  | 'rounded';

export interface KindLoss {
  readonly kind: LossKind;
  /** The number of elements. */
  readonly count: number;
  /** The row-major index of the first of them. */
  readonly first: number;
}

export interface CastLoss {
  /** The target type. */
  readonly dtype: DtypeName;
  readonly elements: number;
  /** The kinds that occurred, in the order of `LossKind`. Each changed element is counted in one of them. */
  readonly losses: readonly KindLoss[];
}

export interface Cast {
  readonly tensor: Tensor;
  readonly loss: CastLoss;
}

/**
 * Converts the elements to another type like NumPy's `astype`, and reports what changed.
 *
 * - To bool: true unless the value is 0; NaN is true.
 * - To an integer: the integer part, reduced to its lowest bits if it does not fit (300 is 44 as uint8). For
 *   floats, NumPy leaves this to the machine; here the rule for integers applies, and NaN and infinities
 *   become 0.
 * - To a float: the nearest value, ties to even, rounded once, also from 64-bit integers. Values that are too
 *   large become infinity, or NaN in float8_e4m3fn.
 * - To complex: the same with an imaginary part of 0. From complex: the real part.
 *
 * NaN stays NaN between floats, with the usual bits of the type's NaN. A cast to the same type preserves all
 * bits. 64-bit integers never pass through a double.
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

/** The kind of loss of an element; undefined if its value did not change. */
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

/** True for equal numbers; bigints and doubles are compared exactly, and NaN equals NaN. */
function isSame(a: number | bigint, b: number | bigint): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  return !(a < b) && !(a > b);
}

/** The text for each kind of loss. */
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
 * Describes what a cast changes: `12 of 600 values change: 10 lose
 * their fraction, 2 do not fit int8`; undefined if nothing changes.
 */
export function describeLoss({ dtype, elements, losses }: CastLoss): string | undefined {
  if (losses.length === 0) return undefined;
  const changed = losses.reduce((sum, { count }) => sum + count, 0);
  const parts = losses.map(({ kind, count }) => `${showCount(count)} ${LOSS_WORDS[kind](count, dtype)}`);
  const [values, verb] = [elements === 1 ? 'value' : 'values', changed === 1 ? 'changes' : 'change'];
  return `${showCount(changed)} of ${showCount(elements)} ${values} ${verb}: ${parts.join(', ')}`;
}
