import { createVSIX } from '@vscode/vsce';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildAll } from './build.ts';
import { listZipEntries, type ZipEntry } from './package/zip-entries.ts';
import { ROOT } from './root.ts';

/** The packed extension. */
export interface Package {
  readonly path: string;
  readonly bytes: number;
  readonly entries: readonly ZipEntry[];
}

/** Builds dist/ for shipping and packs the extension into dist/parley-VERSION.vsix. Throws where either fails. */
export async function buildPackage(): Promise<Package> {
  await buildAll('package');
  const manifest: unknown = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const path = join(ROOT, 'dist', `parley-${versionOf(manifest)}.vsix`);
  // Everything that runs is bundled: node_modules stays outside.
  await createVSIX({ cwd: ROOT, packagePath: path, dependencies: false });
  const archive = await readFile(path);
  return { path, bytes: archive.length, entries: listZipEntries(archive) };
}

function versionOf(manifest: unknown): string {
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  throw new Error('package.json has no version');
}

if (import.meta.main) {
  const { path, bytes, entries } = await buildPackage();
  // vsce has listed the files.
  console.log(`${relative(ROOT, path)}: ${entries.length} files, ${(bytes / 1024).toFixed(0)} KiB`);
}
