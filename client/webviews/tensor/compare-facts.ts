import type { Comparison, Extreme } from '../../../tensor/compare.ts';
import { placeOf, type Tensor } from '../../../tensor/tensor.ts';
import { countOf, showCount } from '../../../core/text/count.ts';
import { exactText } from './value-line.ts';

/** Both tensors of a comparison: the one of the inspector first. */
export interface Compared {
  readonly one: Tensor;
  readonly other: Tensor;
}

/** One line of what a comparison found. */
export interface Fact {
  readonly label: string;
  readonly value: string;
  /** The element where it is, to be selected. */
  readonly at?: number;
  /** What both tensors hold there, or what else there is to say. */
  readonly note?: string;
}

/** So many significant digits are shown of figures that were computed. */
const DIGITS = 7;

/** What differs before any element is looked at: the data types. Shapes that differ are told elsewhere. */
export function describeTypes({ one, other }: Compared): string {
  if (one.dtype === other.dtype) return '';
  return `The data types differ: ${one.dtype} and ${other.dtype}. Values are compared as numbers.`;
}

/** The comparison in a sentence. */
export function describeVerdict({ count, different, differentBits, bothNan }: Comparison): string {
  if (count === 0) return 'Both tensors are empty.';
  if (different > 0) return `${showCount(different)} of ${countOf(count, 'element')} differ.`;
  if (differentBits === 0) return 'Both tensors are the same, byte for byte.';
  const nan = bothNan > 0 ? ', NaN counting as equal to NaN' : '';
  const bits = differentBits ? `; the bits of ${showCount(differentBits)} of them differ` : '';
  return `No difference in ${countOf(count, 'element')}${nan}${bits}.`;
}

/** What a comparison found, from the most asked for to the least. */
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

/** An element in both tensors: `0.1234 and 0.1264`. */
export function readBoth({ one, other }: Compared, index: number): string {
  return `${exactText(one, index)} and ${exactText(other, index)}`;
}

/** `[7, 31]` */
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
  // A similarity that is not quite 1 is not shown as 1.
  return String(Math.abs(rounded) === 1 ? value : rounded).replaceAll('-', '−');
}
