import fc from 'fast-check';
import { DTYPES, findDtype, type DtypeName } from '../../../../core/catalog/dtypes.ts';
import type { Tensor } from '../../../../tensor/tensor.ts';

export const DTYPE_NAMES: readonly DtypeName[] = DTYPES.map(({ name }) => name);

/** The names that NumPy has a type for, by which it calls them. */
export const NUMPY_NAMES: readonly DtypeName[] = DTYPES.flatMap(row => ('npy' in row ? [row.name] : []));

/** A tensor of any bytes. */
export function tensorOf(dtype: DtypeName, shape: readonly number[], hex: string): Tensor {
  return { dtype, shape, bytes: new Uint8Array(Buffer.from(hex, 'hex')) };
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** Any bytes as a row of elements: NaN of all kinds, subnormals, zeros of both signs. */
export function anyTensor(dtype: DtypeName, most = 20): fc.Arbitrary<Tensor> {
  const size = findDtype(dtype)?.bytes ?? 1;
  const byte = fc.oneof(fc.constantFrom(0, 0, 0x7f, 0x80, 0xff, 0xf0, 1), fc.nat(255));
  return fc
    .integer({ min: 0, max: most })
    .chain(count =>
      fc
        .array(byte, { minLength: count * size, maxLength: count * size })
        .map(bytes => ({ dtype, shape: [count], bytes: Uint8Array.from(bytes) })),
    );
}
