import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import { ELEMENTS, viewOf, type ElementCodec } from './elements.ts';
import { showBytes } from './size-words.ts';
import { SMALL_FLOATS } from './small-floats.ts';
import { countElements, elementSize, type Tensor, type TensorResult } from './tensor.ts';

/** What a new tensor is filled with. */
export type Fill =
  | { readonly kind: 'zeros' }
  | { readonly kind: 'ones' }
  /** The same integer seed gives the same elements. */
  | { readonly kind: 'random'; readonly seed: number };

/** The maximum size of a new tensor in bytes: as text it is a quarter longer, and an editor must be able to hold it. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Makes a new tensor. Random floats are uniform in [0, 1) on a grid of the type's precision, so that none is
 * rounded to 1; complex numbers have two of them; random integers cover the whole range of the type, random
 * bools are 0 or 1. An invalid shape is a fault, before anything is allocated.
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

/** Why a tensor of this shape cannot be made; undefined if it can. */
export function findShapeProblem(dtype: DtypeName, shape: readonly number[]): string | undefined {
  if (!shape.every(size => Number.isSafeInteger(size) && size >= 0))
    return 'Every size of a new tensor is 0 or more';
  const size = countElements(shape) * elementSize(dtype);
  return size > MAX_BYTES
    ? `${shape.join('×')} of ${dtype} takes ${showBytes(size)}; a new tensor has at most ${showBytes(MAX_BYTES)}`
    : undefined;
}

function writeOnes(tensor: Tensor): void {
  const codec: ElementCodec = ELEMENTS[tensor.dtype];
  const view = viewOf(tensor);
  const size = elementSize(tensor.dtype);
  for (let at = 0; at < view.byteLength; at += size) codec.write(view, at, 1);
}

/** The precision of float types in bits, including the leading one. */
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
    // Any bytes are a valid integer; a bool uses only their lowest bit.
    const mask = findDtype(dtype)?.kind === 'bool' ? 1 : 255;
    let word = 0;
    for (let at = 0; at < bytes.length; at++) {
      word = at % 4 === 0 ? next() : word >>> 8;
      bytes[at] = word & mask;
    }
    return;
  }
  // A complex number is stored as two consecutive floats.
  const part = dtype === 'complex64' ? 'float32' : dtype === 'complex128' ? 'float64' : dtype;
  const codec: ElementCodec = ELEMENTS[part];
  const view = viewOf(tensor);
  const size = elementSize(part);
  for (let at = 0; at < view.byteLength; at += size) codec.write(view, at, drawFraction(next, precision));
}

/** A random multiple of 2^-bits in [0, 1). */
function drawFraction(next: () => number, bits: number): number {
  if (bits <= 32) return (next() >>> (32 - bits)) / 2 ** bits;
  const high = next() >>> (64 - bits);
  return (high * 2 ** 32 + next()) / 2 ** bits;
}

/**
 * A uniform generator of unsigned 32-bit words: Mulberry32
 * (Tommy Ettinger, 2017). For experiments, not for secrets.
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
