import { quote } from '../../../../core/text/quote.ts';
import { countElements, stridesOf } from '../../../../tensor/tensor.ts';
import { countOf, showCount } from '../../../../core/text/count.ts';

export type ParsedPlace =
  | { readonly kind: 'ok'; readonly index: number }
  | { readonly kind: 'fault'; readonly problem: string };

/**
 * Parses the indices of an element: one per axis, `3, 17` or `[3, 17]`, negative ones counted from the end;
 * or a single number, the index in row-major order.
 */
export function parsePlace(shape: readonly number[], text: string): ParsedPlace {
  const plain = text.trim().replace(/^[[(](.*)[\])]$/, '$1');
  const parts = plain.trim() === '' ? [] : plain.split(/[\s,]+/).filter(part => part !== '');
  const wrong = parts.find(part => !/^[-−]?\d{1,15}$/.test(part));
  if (wrong !== undefined)
    return fault(`${quote(wrong)} is not an index: write whole numbers, such as 3, 17.`);
  const indexes = parts.map(part => Number(part.replace('−', '-')));
  const isFlat = indexes.length === 1 && shape.length !== 1;
  const sizes = isFlat ? [countElements(shape)] : shape;
  if (indexes.length !== sizes.length)
    return fault(
      `This tensor has ${countOf(shape.length, 'axis', 'axes')}: write as many indexes, or one of all elements.`,
    );
  const place = indexes.map((index, axis) => (index < 0 ? index + (sizes[axis] ?? 0) : index));
  const outside = place.findIndex((index, axis) => index < 0 || index >= (sizes[axis] ?? 0));
  if (outside >= 0) return fault(outsideOf(isFlat ? undefined : outside, indexes[outside], sizes[outside]));
  const strides = stridesOf(sizes);
  return { kind: 'ok', index: place.reduce((sum, at, axis) => sum + at * (strides[axis] ?? 0), 0) };
}

function outsideOf(axis: number | undefined, index = 0, size = 0): string {
  const where = axis === undefined ? 'the tensor' : `axis ${axis}`;
  return size === 0
    ? `${index} is outside of ${where}, which is empty.`
    : `${index} is outside of ${where}: 0 to ${showCount(size - 1)}.`;
}

function fault(problem: string): ParsedPlace {
  return { kind: 'fault', problem };
}
