import type { DtypeName } from '../../core/catalog/dtypes.ts';
import { countOf } from '../../core/text/count.ts';
import type { CsvValue } from './csv-value.ts';

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;
const UINT64_MAX = 2n ** 64n - 1n;

/** Collects the values of a file in order, and finds a data type for all of them. */
export class CsvNumbers {
  #re = new Float64Array(1024);
  /** Imaginary parts; empty while all numbers are real. */
  #im = new Float64Array(0);
  #length = 0;
  /** Integers beyond the safe range by index, exactly. */
  readonly #exact = new Map<number, bigint>();
  #kind: CsvValue['kind'] | undefined;
  #hasNegative = false;
  /** The line of the first integer beyond int64. */
  #beyond: number | undefined;

  /** Adds a value of a line; returns a sentence if it cannot be combined with the earlier values. */
  add({ kind, re, im, exact }: CsvValue, line: number): string | undefined {
    if (this.#kind !== undefined && (kind === 'bool') !== (this.#kind === 'bool'))
      return 'true and false are mixed with numbers. Write 1 and 0.';
    this.#kind = widest(this.#kind ?? kind, kind);
    if (this.#length === this.#re.length) this.#grow();
    this.#re[this.#length] = re;
    if (kind === 'complex') {
      if (this.#im.length === 0) this.#im = new Float64Array(this.#re.length);
      this.#im[this.#length] = im;
    }
    if (exact !== undefined) {
      this.#exact.set(this.#length, exact);
      if (exact > INT64.max || exact < INT64.min) this.#beyond ??= line;
    }
    if (re < 0) this.#hasNegative = true;
    this.#length++;
    return undefined;
  }

  #grow(): void {
    const double = (values: Float64Array): Float64Array<ArrayBuffer> => {
      const larger = new Float64Array(values.length * 2);
      larger.set(values);
      return larger;
    };
    this.#re = double(this.#re);
    this.#im = double(this.#im);
  }

  /** The data type is int64 or uint64 if all integers fit, else float64 or complex128. */
  finish(): { readonly dtype: DtypeName; readonly bytes: Uint8Array; readonly notes: readonly string[] } {
    switch (this.#kind) {
      case 'bool':
        return { dtype: 'bool', bytes: Uint8Array.from(this.#re.subarray(0, this.#length)), notes: [] };
      case 'int':
        return this.#finishIntegers();
      case 'complex':
        return { dtype: 'complex128', bytes: this.#complexBytes(), notes: this.#roundingNotes() };
      default:
        return { dtype: 'float64', bytes: this.#floatBytes(), notes: this.#roundingNotes() };
    }
  }

  #finishIntegers(): {
    readonly dtype: DtypeName;
    readonly bytes: Uint8Array;
    readonly notes: readonly string[];
  } {
    if (this.#beyond === undefined) return { dtype: 'int64', bytes: this.#integerBytes(), notes: [] };
    const fits = !this.#hasNegative && [...this.#exact.values()].every(value => value <= UINT64_MAX);
    if (fits)
      return {
        dtype: 'uint64',
        bytes: this.#integerBytes(),
        notes: [`Read as uint64: line ${this.#beyond} holds an integer beyond int64.`],
      };
    return {
      dtype: 'float64',
      bytes: this.#floatBytes(),
      notes: [
        `Read as float64: line ${this.#beyond} holds an integer beyond int64.`,
        ...this.#roundingNotes(),
      ],
    };
  }

  #roundingNotes(): readonly string[] {
    const rounded = [...this.#exact.values()].filter(value => BigInt(Number(value)) !== value).length;
    return rounded === 0 ? [] : [`${countOf(rounded, 'integer')} beyond 2^53 became the nearest float64.`];
  }

  /** The lowest 64 bits of each integer; they are the same for int64 and uint64. */
  #integerBytes(): Uint8Array {
    const view = new DataView(new ArrayBuffer(this.#length * 8));
    for (let index = 0; index < this.#length; index++)
      view.setBigInt64(index * 8, this.#exact.get(index) ?? BigInt(this.#re[index] ?? 0), true);
    return new Uint8Array(view.buffer);
  }

  #floatBytes(): Uint8Array {
    const view = new DataView(new ArrayBuffer(this.#length * 8));
    for (let index = 0; index < this.#length; index++) view.setFloat64(index * 8, this.#re[index] ?? 0, true);
    return new Uint8Array(view.buffer);
  }

  #complexBytes(): Uint8Array {
    const view = new DataView(new ArrayBuffer(this.#length * 16));
    for (let index = 0; index < this.#length; index++) {
      view.setFloat64(index * 16, this.#re[index] ?? 0, true);
      view.setFloat64(index * 16 + 8, this.#im[index] ?? 0, true);
    }
    return new Uint8Array(view.buffer);
  }
}

const KINDS = ['bool', 'int', 'float', 'complex'] as const;

function widest(one: CsvValue['kind'], other: CsvValue['kind']): CsvValue['kind'] {
  return KINDS.indexOf(one) > KINDS.indexOf(other) ? one : other;
}
