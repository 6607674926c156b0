import { countOf } from '../core/text/count.ts';
import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import { readElement, showElement, type Element } from './elements.ts';
import { countElements, type Tensor } from './tensor.ts';

export type NumpyLiteral =
  { readonly kind: 'ok'; readonly text: string } | { readonly kind: 'fault'; readonly problem: string };

/** A longer literal is read by nobody, and slowly by Python. */
const MOST_ELEMENTS = 1_000_000;

/**
 * Python that makes the same array, `np` being NumPy: `np.array([[1.0, np.nan]], dtype=np.float32)`, a row a line. The
 * elements are the same bit for bit, but for the bits of a NaN, and a true bool is 1. What NumPy has no type for, bfloat16
 * and the 8-bit floats, becomes a float32 array, which holds them exactly, with a comment that names the type. A fault
 * where there are too many elements.
 */
export function numpyLiteral({ dtype, shape, bytes }: Tensor): NumpyLiteral {
  const count = countElements(shape);
  if (count > MOST_ELEMENTS)
    return {
      kind: 'fault',
      problem: `A literal holds at most ${countOf(MOST_ELEMENTS, 'element')}, the tensor has ${countOf(count, 'element')}: take a slice, or export a file`,
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

/** Puts brackets around the elements of each axis, from the innermost out. */
function nest(items: readonly string[], shape: readonly number[]): string {
  let parts = items;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] ?? 1;
    const indent = ' '.repeat(Math.min(axis + 1, MOST_INDENT) + 'np.array('.length);
    const between = axis === shape.length - 1 ? ', ' : `,\n${indent}`;
    const joined: string[] = [];
    for (let at = 0; at < parts.length; at += size)
      joined.push(`[${parts.slice(at, at + size).join(between)}]`);
    parts = joined;
  }
  return parts.join('');
}

/** Deeper nests are not indented further, so that the text stays linear in its elements. */
const MOST_INDENT = 16;

function showLiteral(dtype: DtypeName, element: Element): string {
  if (typeof element === 'boolean') return element ? 'True' : 'False';
  if (typeof element === 'object') {
    // A sum would lose the sign of a zero and make NaN of an infinity.
    const part = dtype === 'complex64' ? 'float32' : 'float64';
    return `complex(${showFloat(part, element.re)}, ${showFloat(part, element.im)})`;
  }
  return showFloat(dtype, element);
}

function showFloat(dtype: DtypeName, value: number | bigint): string {
  return showElement(dtype, value).replace(/^(-?)(inf|nan)$/, '$1np.$2');
}
