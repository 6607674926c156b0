import type { EncodingName } from '../core/catalog/costs.ts';
import type { Encoding } from '../protocols/cost/encoding.ts';

/** Each encoding is a separate bundle next to the importing one and is read only when it is needed. */
const LOADERS: Readonly<Record<EncodingName, () => Promise<{ readonly encoding: Encoding }>>> = {
  o200k_base: () => import('./o200k_base.ts'),
  cl100k_base: () => import('./cl100k_base.ts'),
};

/** Loads an encoding; the first call reads it from disk. Rejects if its file is missing. */
export async function loadEncoding(name: EncodingName): Promise<Encoding> {
  return (await LOADERS[name]()).encoding;
}
