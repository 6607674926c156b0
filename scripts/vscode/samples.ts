import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../root.ts';

/** A writable copy of samples/. */
export interface SamplesCopy {
  /** The folder is named `samples`, which windows show. */
  readonly folder: string;
  remove(): Promise<void>;
}

/** Copies samples/ into a temporary folder. */
export async function copySamples(): Promise<SamplesCopy> {
  const parent = await mkdtemp(join(tmpdir(), 'parley-samples-'));
  const folder = join(parent, 'samples');
  await cp(join(ROOT, 'samples'), folder, { recursive: true });
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) };
}
