import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty extension. */
export interface Probe {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Writes an empty extension: VS Code runs tests only with an extension under development, which is this one
 * if ours is installed as a package.
 */
export async function writeProbe(): Promise<Probe> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-probe-'));
  const manifest = { name: 'probe', publisher: 'parley', version: '0.0.1', engines: { vscode: '*' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
