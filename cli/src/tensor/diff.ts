import { compareTensors, whyIncomparable, type Comparison, type Extreme } from '../../../tensor/compare.ts';
import { placeOf, type Tensor } from '../../../tensor/tensor.ts';
import { showCount } from '../../../core/text/count.ts';
import { locate } from './list.ts';
import type { TensorRow } from './rows.ts';
import { showRounded, toJsonNumber } from './values.ts';

/** Two tensors to compare, or one without a partner. */
interface Pair {
  readonly one: TensorRow | undefined;
  readonly other: TensorRow | undefined;
}

/** The result of comparing a pair: the reason why it could not be compared, or the differences. */
export type Difference = Pair &
  (
    | { readonly isSame: false; readonly problem: string }
    | {
        readonly isSame: boolean;
        readonly tensors: readonly [Tensor, Tensor];
        readonly comparison: Comparison;
      }
  );

/** Pairs tensors by name, in order for equal names. A single tensor on each side is a pair whatever the names. */
export function diffRows(ones: readonly TensorRow[], others: readonly TensorRow[]): readonly Difference[] {
  const [one] = ones;
  const [other] = others;
  if (one && other && ones.length === 1 && others.length === 1) return [diffPair({ one, other })];
  const left = new Map<string, TensorRow[]>();
  for (const row of others.toReversed()) {
    const named = left.get(row.at);
    if (named) named.push(row);
    else left.set(row.at, [row]);
  }
  const pairs = ones.map(row => ({ one: row, other: left.get(row.at)?.pop() }));
  const taken = new Set(pairs.map(pair => pair.other));
  const alone = others.filter(row => !taken.has(row)).map(row => ({ one: undefined, other: row }));
  return [...pairs, ...alone].map(diffPair);
}

/** Compares a pair. Tensors are the same if type, shape and all numbers are equal; NaN equals NaN. */
function diffPair(pair: Pair): Difference {
  const refuse = (problem: string): Difference => ({ ...pair, isSame: false, problem });
  const { one, other } = pair;
  if (!one || !other) return refuse(`only in ${(one ?? other)?.file}`);
  if (one.content.kind === 'fault') return refuse(`${locate(one)}: ${one.content.issue.message}`);
  if (other.content.kind === 'fault') return refuse(`${locate(other)}: ${other.content.issue.message}`);
  const tensors = [one.content.tensor, other.content.tensor] as const;
  const problem = whyIncomparable(...tensors);
  if (problem !== undefined) return refuse(problem);
  const comparison = compareTensors(...tensors);
  const isSame = comparison.different === 0 && tensors[0].dtype === tensors[1].dtype;
  return { ...pair, isSame, tensors, comparison };
}

/** One line per pair: `data: 2 of 6 elements differ, max abs 0.5 at [0, 2], max rel 0.25 at [0, 2]`. */
export function printDifferences(differences: readonly Difference[]): string {
  return differences.map(difference => `${nameOf(difference)}: ${describe(difference)}\n`).join('');
}

function nameOf({ one, other }: Pair): string {
  const row = one ?? other;
  return row ? row.at || locate(row) : '';
}

function describe(difference: Difference): string {
  if ('problem' in difference) return difference.problem;
  const { tensors, comparison } = difference;
  const { different, count, apart, apartAt, differentBits, maxAbsolute, maxRelative, cosine } = comparison;
  const types = tensors[0].dtype === tensors[1].dtype ? [] : [`${tensors[0].dtype} and ${tensors[1].dtype}`];
  if (different === 0) {
    const bits = differentBits ? [`${showCount(differentBits)} with other bytes`] : [];
    const same = types.length + bits.length === 0 ? 'the same' : 'the same numbers';
    return [...types, same, ...bits].join(', ');
  }
  const at = (index: number): string => `[${placeOf(tensors[0].shape, index).join(', ')}]`;
  const extreme = (name: string, found: Extreme | undefined): readonly string[] =>
    found ? [`${name} ${showRounded(found.value)} at ${at(found.at)}`] : [];
  return [
    ...types,
    `${showCount(different)} of ${showCount(count)} elements differ`,
    ...(apartAt === undefined
      ? []
      : [`${showCount(apart)} without a finite difference, first at ${at(apartAt)}`]),
    ...extreme('max abs', maxAbsolute),
    ...extreme('max rel', maxRelative),
    ...(cosine === undefined ? [] : [`cosine ${showRounded(cosine)}`]),
  ].join(', ');
}

/** A difference in the output of `--format json`. */
export function toJsonDifference(difference: Difference): object {
  const { one, other, isSame } = difference;
  const sides = { one: one ? sideOf(one) : null, other: other ? sideOf(other) : null, same: isSame };
  if ('problem' in difference) return { ...sides, problem: difference.problem };
  const { tensors, comparison } = difference;
  const at = (index: number | undefined): readonly number[] | null =>
    index === undefined ? null : placeOf(tensors[0].shape, index);
  const extreme = (found: Extreme | undefined): object | null =>
    found ? { value: toJsonNumber(found.value), at: at(found.at) } : null;
  const { differentAt, differentBits, apartAt, maxAbsolute, maxRelative, cosine, ...counts } = comparison;
  return {
    ...sides,
    ...counts,
    differentAt: at(differentAt),
    differentBits: differentBits ?? null,
    apartAt: at(apartAt),
    maxAbsolute: extreme(maxAbsolute),
    maxRelative: extreme(maxRelative),
    cosine: toJsonNumber(cosine),
  };
}

function sideOf({ file, range, at, content }: TensorRow): object {
  const { dtype, shape } = content.kind === 'ok' ? content.tensor : content;
  return { file, ...(range ? { range } : {}), at, dtype, shape };
}
