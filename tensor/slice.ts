import { countOf } from '../core/text/count.ts';
import { quote } from '../core/text/quote.ts';
import { countElements, elementSize, stridesOf, type Tensor, type TensorResult } from './tensor.ts';

/** A range on an axis: the elements `start`, `start + step`, … before `end`. */
export interface AxisRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  /** True for a single index instead of a range: the axis is removed from the result, as in NumPy. */
  readonly isIndex?: true;
}

/**
 * The elements within all ranges, one for each axis from the outermost inwards; axes without a range are
 * taken completely. Ranges that do not fit the axes are a fault. Linear in the result.
 */
export function sliceTensor(tensor: Tensor, ranges: readonly AxisRange[]): TensorResult {
  const problem = findProblem(tensor.shape, ranges);
  if (problem !== undefined) return { kind: 'fault', problem };
  const whole = tensor.shape.map((size, axis) => ranges[axis] ?? { start: 0, end: size, step: 1 });
  const sizes = whole.map(lengthOf);
  const bytes = new Uint8Array(countElements(sizes) * elementSize(tensor.dtype));
  if (bytes.length > 0) copyPart(tensor, whole, sizes, bytes);
  const shape = sizes.filter((_, axis) => !whole[axis]?.isIndex);
  return { kind: 'ok', tensor: { dtype: tensor.dtype, shape, bytes } };
}

function findProblem(shape: readonly number[], ranges: readonly AxisRange[]): string | undefined {
  if (ranges.length > shape.length) return tooMany(ranges.length, shape);
  for (const [axis, { start, end, step }] of ranges.entries()) {
    const size = shape[axis] ?? 0;
    const isSound = [start, end, step].every(Number.isSafeInteger) && step >= 1;
    if (!isSound || start < 0 || end > size)
      return `${start}:${end}:${step} is not a part of axis ${axis}, which has ${countOf(size, 'element')}`;
  }
  return undefined;
}

function lengthOf({ start, end, step }: AxisRange): number {
  return Math.max(0, Math.ceil((end - start) / step));
}

/** The number of bytes up to which a loop copies faster than a call. */
const SHORT_RUN = 32;

/** Copies the selected elements in the longest contiguous runs. */
function copyPart(
  { dtype, shape, bytes }: Tensor,
  ranges: readonly AxisRange[],
  sizes: readonly number[],
  into: Uint8Array,
): void {
  const strides = stridesOf(shape).map(stride => stride * elementSize(dtype));
  let inner = shape.length;
  while (inner > 0 && sizes[inner - 1] === shape[inner - 1]) inner--;
  // The innermost axis that is not complete also belongs to the run if its step is 1.
  const runAxis = inner > 0 && ranges[inner - 1]?.step === 1 ? inner - 1 : inner;
  const run = countElements(sizes.slice(runAxis)) * elementSize(dtype);
  const outer = sizes.slice(0, runAxis);
  const place = outer.map(() => 0);
  let from = ranges.reduce((sum, { start }, axis) => sum + start * (strides[axis] ?? 0), 0);
  for (let to = 0; to < into.length; to += run) {
    if (run > SHORT_RUN) into.set(bytes.subarray(from, from + run), to);
    else for (let at = 0; at < run; at++) into[to + at] = bytes[from + at] ?? 0;
    for (let axis = runAxis - 1; axis >= 0; axis--) {
      const stride = (strides[axis] ?? 0) * (ranges[axis]?.step ?? 1);
      const at = (place[axis] ?? 0) + 1;
      const isPast = at === outer[axis];
      place[axis] = isPast ? 0 : at;
      from += isPast ? -stride * (at - 1) : stride;
      if (!isPast) break;
    }
  }
}

export type ParsedSlice =
  | { readonly kind: 'ok'; readonly ranges: readonly AxisRange[] }
  | { readonly kind: 'fault'; readonly problem: string };

/**
 * Parses a slice in NumPy notation, with or without brackets: `0:10, :, 3`. Negative indices count from the
 * end, and ranges are clamped to the axis. `...` represents the axes that are not named; axes after the end
 * of the text are taken completely. Steps must be at least 1.
 */
export function parseSlice(text: string, shape: readonly number[]): ParsedSlice {
  const inner = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1] ?? text;
  const parts = inner.split(',').map(part => part.trim());
  if (parts.at(-1) === '') parts.pop();
  const named = parts.filter(part => !isEllipsis(part)).length;
  if (parts.length - named > 1) return { kind: 'fault', problem: 'Only one ... can replace the other axes' };
  if (named > shape.length) return { kind: 'fault', problem: tooMany(named, shape) };
  const ranges: AxisRange[] = [];
  for (const part of parts) {
    if (isEllipsis(part)) {
      for (let left = shape.length - named; left > 0; left--)
        ranges.push({ start: 0, end: shape[ranges.length] ?? 0, step: 1 });
      continue;
    }
    const range = parseRange(part, ranges.length, shape[ranges.length] ?? 0);
    if (typeof range === 'string') return { kind: 'fault', problem: range };
    ranges.push(range);
  }
  return { kind: 'ok', ranges };
}

function isEllipsis(part: string): boolean {
  return part === '...' || part === '…';
}

const RANGE = /^(?<start>[+-]?\d+)?\s*:\s*(?:(?<end>[+-]?\d+)\s*)?(?::\s*(?<step>[+-]?\d+)?)?$/;

/** Parses the slice of one axis; returns a sentence if it is invalid. */
function parseRange(part: string, axis: number, size: number): AxisRange | string {
  if (/^[+-]?\d+$/.test(part)) {
    const index = fromEnd(Number(part), size);
    if (index >= 0 && index < size) return { start: index, end: index + 1, step: 1, isIndex: true };
    const allowed = size === 0 ? 'which is empty' : `which has ${-size} to ${size - 1}`;
    return `${part} is outside of axis ${axis}, ${allowed}`;
  }
  const found = RANGE.exec(part)?.groups;
  if (!found) return `${quote(part)} is neither an index such as 3 or -1 nor a range such as 0:10 or ::2`;
  const step = Number(found['step'] ?? 1);
  if (step < 1) return `The step of axis ${axis} is ${found['step']}: it has to be 1 or more`;
  const start = Math.min(size, Math.max(0, fromEnd(Number(found['start'] ?? 0), size)));
  const end = Math.min(size, Math.max(start, fromEnd(Number(found['end'] ?? size), size)));
  return { start, end, step: Math.min(step, Number.MAX_SAFE_INTEGER) };
}

function fromEnd(index: number, size: number): number {
  return index < 0 ? index + size : index;
}

function tooMany(count: number, shape: readonly number[]): string {
  const axes = shape.length === 0 ? 'a single value, without axes' : countOf(shape.length, 'axis', 'axes');
  return `${countOf(count, 'index or range', 'indexes or ranges')} for ${axes}`;
}
