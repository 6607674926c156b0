import { countOf, showCount } from '../core/text/count.ts';
import { quote } from '../core/text/quote.ts';
import { countElements, type Tensor, type TensorResult } from './tensor.ts';

/** The shape that a user wrote, or what is wrong with it. */
export type ParsedShapeInput =
  /** One size may be -1, to be inferred from the others. */
  | { readonly kind: 'ok'; readonly shape: readonly number[] }
  | { readonly kind: 'fault'; readonly problem: string };

/**
 * Parses a shape from user input: `2, 3`, `(2, 3)`, `[2, -1]`, `2 3` or `2x3`; an empty text is a single
 * value. Sizes are 0 or more, and one may be -1.
 */
export function parseShapeInput(text: string): ParsedShapeInput {
  const inner = /^\s*(?:\(([^()]*)\)|\[([^[\]]*)\])\s*$/.exec(text);
  const list = (inner ? (inner[1] ?? inner[2] ?? '') : text).trim().replace(/,$/, '').trim();
  const shape: number[] = [];
  for (const part of list === '' ? [] : list.replace(/\s+/g, ' ').split(/ ?[,x×] ?| /)) {
    const size = Number(part);
    if (!/^\+?\d+$|^-1$/.test(part))
      return {
        kind: 'fault',
        problem: `${quote(part)} is not a size: 0 or more, or -1 for what the others leave`,
      };
    if (!Number.isSafeInteger(size))
      return { kind: 'fault', problem: `${quote(part)} is too large: sizes go up to 2^53 - 1` };
    shape.push(size);
  }
  if (shape.filter(size => size === -1).length > 1)
    return { kind: 'fault', problem: 'Only one size can be -1' };
  return { kind: 'ok', shape };
}

/** Changes the shape without changing the order of elements; one size may be -1. The bytes are shared. */
export function reshapeTensor(tensor: Tensor, shape: readonly number[]): TensorResult {
  const have = countElements(tensor.shape);
  const others = countElements(shape.filter(size => size !== -1));
  const isOpen = shape.includes(-1);
  if (isOpen && (others === 0 || have % others !== 0))
    return {
      kind: 'fault',
      problem: `${countOf(have, 'element')} cannot be divided by ${showCount(others)}, which the other sizes make`,
    };
  if (!isOpen && others !== have)
    return {
      kind: 'fault',
      problem: `${showShape(shape)} is ${countOf(others, 'element')}, the tensor has ${showCount(have)}`,
    };
  const whole = shape.map(size => (size === -1 ? have / others : size));
  return { kind: 'ok', tensor: { ...tensor, shape: whole } };
}

function showShape(shape: readonly number[]): string {
  return shape.length === 0 ? 'A single value' : shape.join('×');
}
