import type { Comparison, Extreme } from '../../../../tensor/compare.ts';
import { placeOf, type Tensor } from '../../../../tensor/tensor.ts';
import { countOf, showCount } from '../../../../core/text/count.ts';
import { exactText } from '../value-line.ts';

/** The two tensors of a comparison. `one` is the tensor of the inspector. */
export interface Compared {
  readonly one: Tensor;
  readonly other: Tensor;
}

/** One line of the result of a comparison. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  /** The index of an element to select. */
  readonly at?: number;
  /** The values of both tensors there, or another remark. */
  readonly note?: string;
}

/** The number of significant digits of computed figures. */
const DIGITS = 7;

/** Describes a difference of data types. Different shapes are reported elsewhere. */
export function describeTypes({ one, other }: Compared): string {
  if (one.dtype === other.dtype) return '';
  return `The data types differ: ${one.dtype} and ${other.dtype}. Values are compared as numbers.`;
}

/** The result of the comparison in one sentence. */
export function describeVerdict({ count, different, differentBits, bothNan }: Comparison): string {
  if (count === 0) return 'Both tensors are empty.';
  if (different > 0) return `${showCount(different)} of ${countOf(count, 'element')} differ.`;
  if (differentBits === 0) return 'Both tensors are the same, byte for byte.';
  const nan = bothNan > 0 ? ', NaN counting as equal to NaN' : '';
  const bits = differentBits ? `; the bits of ${showCount(differentBits)} of them differ` : '';
  return `No difference in ${countOf(count, 'element')}${nan}${bits}.`;
}

/** The facts of a comparison, the most useful first. */
export function listFacts(found: Comparison, compared: Compared): readonly Fact[] {
  const facts: (Fact | undefined)[] = [
    extremeFact('Largest absolute difference', found.maxAbsolute, compared),
    extremeFact('Largest relative difference', found.maxRelative, compared),
    {
      label: 'Differing elements',
      value: `${showCount(found.different)} of ${showCount(found.count)}`,
      ...whereOf(found.differentAt, compared),
    },
    {
      label: 'Cosine similarity',
      value: found.cosine === undefined ? 'none' : showFigure(found.cosine),
      ...(found.cosine === undefined ? { note: 'one of the two holds nothing but zeros' } : {}),
    },
    found.apart > 0
      ? {
          label: 'NaN or infinite in one only',
          value: showCount(found.apart),
          ...whereOf(found.apartAt, compared),
        }
      : undefined,
    found.bothNan > 0
      ? { label: 'NaN in both', value: showCount(found.bothNan), note: 'counted as equal' }
      : undefined,
    found.fromZero > 0
      ? {
          label: 'Different from a 0',
          value: showCount(found.fromZero),
          note: 'not in the relative difference',
        }
      : undefined,
    found.differentBits !== undefined && found.differentBits !== found.different
      ? {
          label: 'Differing in their bits',
          value: showCount(found.differentBits),
          note: 'zeros of different sign and NaN of different bits are equal values',
        }
      : undefined,
  ];
  return facts.filter(fact => fact !== undefined);
}

/** The element in both tensors: `0.1234 and 0.1264`. */
export function readBoth({ one, other }: Compared, index: number): string {
  return `${exactText(one, index)} and ${exactText(other, index)}`;
}

/** The indices of an element: `[7, 31]`. */
export function showPlace(shape: readonly number[], index: number): string {
  return `[${placeOf(shape, index).join(', ')}]`;
}

function extremeFact(label: string, extreme: Extreme | undefined, compared: Compared): Fact {
  if (!extreme) return { label, value: 'none' };
  if (extreme.value === 0) return { label, value: '0' };
  return { label, value: showFigure(extreme.value), ...whereOf(extreme.at, compared) };
}

function whereOf(at: number | undefined, compared: Compared): Pick<Fact, 'at' | 'note'> {
  return at === undefined ? {} : { at, note: readBoth(compared, at) };
}

function showFigure(value: number): string {
  const rounded = Number(value.toPrecision(DIGITS));
  // A similarity that is not exactly 1 must not be rounded to 1.
  return String(Math.abs(rounded) === 1 ? value : rounded).replaceAll('-', '−');
}
