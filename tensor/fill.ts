import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import { ELEMENTS, viewOf, type ElementCodec } from './elements.ts';
import { showBytes } from './size-words.ts';
import { SMALL_FLOATS } from './small-floats.ts';
import { countElements, elementSize, type Tensor, type TensorResult } from './tensor.ts';

export type Fill =
  | { readonly kind: 'zeros' }
  | { readonly kind: 'ones' }
  /** The same seed, a whole number, makes the same elements. */
  | { readonly kind: 'random'; readonly seed: number };

/** A tensor is made as large as this, not larger: as text it is a quarter longer, and an editor has to hold it. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * A new tensor. Random floats lie evenly in [0, 1), as many steps apart as the type's mantissa tells apart, so that none
 * is rounded up to 1; both parts of a complex number are such floats; random integers lie in the whole range of their
 * type, random bools are 0 or 1. A fault says what is wrong with the shape, before anything is allocated.
 */
export function fillTensor(fill: Fill, dtype: DtypeName, shape: readonly number[]): TensorResult {
  const problem = findShapeProblem(dtype, shape);
  if (problem !== undefined) return { kind: 'fault', problem };
  const bytes = new Uint8Array(countElements(shape) * elementSize(dtype));
  const tensor = { dtype, shape, bytes };
  if (fill.kind === 'ones') writeOnes(tensor);
  if (fill.kind === 'random') writeRandom(tensor, randomWords(fill.seed));
  return { kind: 'ok', tensor };
}

/** Why no tensor is made of a shape; undefined where one is. */
export function findShapeProblem(dtype: DtypeName, shape: readonly number[]): string | undefined {
  if (!shape.every(size => Number.isSafeInteger(size) && size >= 0))
    return 'Every size of a new tensor is 0 or more';
  const size = countElements(shape) * elementSize(dtype);
  return size > MOST_BYTES
    ? `${shape.join('×')} of ${dtype} takes ${showBytes(size)}; a new tensor has at most ${showBytes(MOST_BYTES)}`
    : undefined;
}

function writeOnes(tensor: Tensor): void {
  const codec: ElementCodec = ELEMENTS[tensor.dtype];
  const view = viewOf(tensor);
  const size = elementSize(tensor.dtype);
  for (let at = 0; at < view.byteLength; at += size) codec.write(view, at, 1);
}

/** Significant bits of a float, its leading one with them. */
const PRECISIONS: Partial<Readonly<Record<DtypeName, number>>> = {
  ...Object.fromEntries(
    Object.entries(SMALL_FLOATS).map(([name, format]) => [name, format.mantissaBits + 1]),
  ),
  float32: 24,
  complex64: 24,
  float64: 53,
  complex128: 53,
};

function writeRandom(tensor: Tensor, next: () => number): void {
  const { dtype, bytes } = tensor;
  const precision = PRECISIONS[dtype];
  if (precision === undefined) {
    // Any bytes are an integer; a bool takes their lowest bit.
    const mask = findDtype(dtype)?.kind === 'bool' ? 1 : 255;
    let word = 0;
    for (let at = 0; at < bytes.length; at++) {
      word = at % 4 === 0 ? next() : word >>> 8;
      bytes[at] = word & mask;
    }
    return;
  }
  // The parts of a complex number are floats that follow one another.
  const part = dtype === 'complex64' ? 'float32' : dtype === 'complex128' ? 'float64' : dtype;
  const codec: ElementCodec = ELEMENTS[part];
  const view = viewOf(tensor);
  const size = elementSize(part);
  for (let at = 0; at < view.byteLength; at += size) codec.write(view, at, drawFraction(next, precision));
}

/** A multiple of 2^-bits in [0, 1). */
function drawFraction(next: () => number, bits: number): number {
  if (bits <= 32) return (next() >>> (32 - bits)) / 2 ** bits;
  const high = next() >>> (64 - bits);
  return (high * 2 ** 32 + next()) / 2 ** bits;
}

/**
 * Words of 32 bits, unsigned, evenly spread: Mulberry32 (Tommy Ettinger, 2017), a counter whose bits are mixed by two
 * multiplications. For trying things out, not for secrets.
 */
function randomWords(seed: number): () => number {
  let counter = seed | 0;
  return () => {
    counter = (counter + 0x6d2b79f5) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 15), counter | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
