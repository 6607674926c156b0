import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../root.ts';

/** A copy of samples/ that may be written to. */
export interface SamplesCopy {
  /** Named `samples`, as windows show it. */
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
