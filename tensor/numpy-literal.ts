import { countOf } from '../core/text/count.ts';
import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import { readElement, showElement, type Element } from './elements.ts';
import { countElements, type Tensor } from './tensor.ts';

/** Python code for an array, or the reason why there is none. */
export type NumpyLiteral =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'fault'; readonly problem: string };

/** The maximum number of elements: a longer literal is unreadable and slow in Python. */
const MAX_ELEMENTS = 1_000_000;

/**
 * Python code that creates the same array, where `np` is NumPy: `np.array([[1.0, np.nan]],
 * dtype=np.float32)`, with one row for each line. The elements are identical except for the bits of NaN and
 * of true bools, which become 1. bfloat16 and 8-bit floats, which NumPy lacks, become float32, which
 * represents them exactly, with a comment that names the type. Too many elements are a fault.
 */
export function numpyLiteral({ dtype, shape, bytes }: Tensor): NumpyLiteral {
  const count = countElements(shape);
  if (count > MAX_ELEMENTS)
    return {
      kind: 'fault',
      problem: `A literal holds at most ${countOf(MAX_ELEMENTS, 'element')}, the tensor has ${countOf(count, 'element')}: take a slice, or export a file`,
    };
  const target = findDtype(dtype)?.npy === undefined ? 'float32' : dtype;
  const type = target === 'bool' ? 'np.bool_' : `np.${target}`;
  const comment = target === dtype ? '' : `  # ${dtype}, which NumPy does not have`;
  if (count === 0)
    return {
      kind: 'ok',
      text: `np.zeros((${shape.map(size => `${size},`).join(' ')}), dtype=${type})${comment}`,
    };
  const tensor = { dtype, shape, bytes };
  const items = Array.from({ length: count }, (_, index) => showLiteral(target, readElement(tensor, index)));
  return { kind: 'ok', text: `np.array(${nest(items, shape)}, dtype=${type})${comment}` };
}

/** Adds brackets for each axis, from the innermost one outwards. */
function nest(items: readonly string[], shape: readonly number[]): string {
  let parts = items;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] ?? 1;
    const indent = ' '.repeat(Math.min(axis + 1, MAX_INDENT) + 'np.array('.length);
    const between = axis === shape.length - 1 ? ', ' : `,\n${indent}`;
    const joined: string[] = [];
    for (let at = 0; at < parts.length; at += size)
      joined.push(`[${parts.slice(at, at + size).join(between)}]`);
    parts = joined;
  }
  return parts.join('');
}

/** The maximum depth of indentation, so that the text stays linear in the number of elements. */
const MAX_INDENT = 16;

function showLiteral(dtype: DtypeName, element: Element): string {
  if (typeof element === 'boolean') return element ? 'True' : 'False';
  if (typeof element === 'object') {
    // A sum such as `a+bj` would lose the sign of a zero and turn an infinity into NaN.
    const part = dtype === 'complex64' ? 'float32' : 'float64';
    return `complex(${showFloat(part, element.re)}, ${showFloat(part, element.im)})`;
  }
  return showFloat(dtype, element);
}

function showFloat(dtype: DtypeName, value: number | bigint): string {
  return showElement(dtype, value).replace(/^(-?)(inf|nan)$/, '$1np.$2');
}
