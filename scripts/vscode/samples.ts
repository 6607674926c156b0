import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../root.ts';

/** A folder that a window opens; one with samples is named `samples`, which windows show. */
export interface SamplesCopy {
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

/** Makes an empty temporary folder. */
export async function makeEmptyFolder(): Promise<SamplesCopy> {
  const parent = await mkdtemp(join(tmpdir(), 'parley-empty-'));
  const folder = join(parent, 'project');
  await mkdir(folder);
  return { folder, remove: () => rm(parent, { recursive: true, force: true }) };
}
