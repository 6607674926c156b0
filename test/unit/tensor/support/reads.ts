import type { NumberSource } from '../../../../tensor/numbers.ts';

/** A source that counts what is read of it. */
export interface CountedSource extends NumberSource {
  /** The elements that were read, in order; one that was read twice occurs twice. */
  readonly indexes: number[];
}

export function countReads(source: NumberSource): CountedSource {
  const indexes: number[] = [];
  return {
    ...source,
    indexes,
    read(from, to, into) {
      for (let index = from; index < to; index++) indexes.push(index);
      source.read(from, to, into);
    },
  };
}

/** Numbers as a source of float64. */
export function doubles(values: readonly number[]): NumberSource {
  return {
    dtype: 'float64',
    length: values.length,
    read: (from, to, into) => into.set(values.slice(from, to)),
  };
}

/** Whether two numbers are the same, or nearer to each other than a part in 10^12 of `size`. */
export function isNear(one: number, other: number, size = Math.abs(other)): boolean {
  return Object.is(one, other) || Math.abs(one - other) <= 1e-12 * size;
}
