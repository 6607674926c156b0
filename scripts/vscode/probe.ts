import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An extension without contents. */
export interface Probe {
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * VS Code runs tests only beside an extension under development. Where ours is installed as a package,
 * this empty one stands there instead.
 */
export async function writeProbe(): Promise<Probe> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-probe-'));
  const manifest = { name: 'probe', publisher: 'parley', version: '0.0.1', engines: { vscode: '*' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
