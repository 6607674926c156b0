import type { EncodingName } from '../core/catalog/encodings.ts';
import type { Encoding } from '../protocols/cost/encoding.ts';

/** Each is a bundle of its own beside the one that asks for it: nothing of them is read before. */
const LOADERS: Readonly<Record<EncodingName, () => Promise<{ readonly encoding: Encoding }>>> = {
  o200k_base: () => import('./o200k_base.ts'),
  cl100k_base: () => import('./cl100k_base.ts'),
};

/** The encoding, which is read from the disk the first time. Rejects where its file is missing. */
export async function loadEncoding(name: EncodingName): Promise<Encoding> {
  return (await LOADERS[name]()).encoding;
}
