import { createVSIX } from '@vscode/vsce';
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Metafile } from 'esbuild';
import { buildAll } from './build.ts';
import { listBundledPackages, printBillOfMaterials, printNotices } from './package/bundled.ts';
import { listZipEntries, type ZipEntry } from './package/zip-entries.ts';
import { ROOT } from './root.ts';

/** The packed extension. */
export interface Package {
  readonly path: string;
  readonly bytes: number;
  readonly entries: readonly ZipEntry[];
}

/** What goes into the package beside what is built, and the list that says what of it; .vscodeignore has the last word. */
const SHIPPED = [
  '.vscodeignore',
  'package.json',
  'package.nls.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
  'media',
  'schemas',
  'syntaxes',
];

/**
 * Builds the extension for shipping and packs it into dist/parley-VERSION.vsix. That is done in a folder of its own: what
 * lies in dist/ may be in use. Throws where either fails.
 */
async function buildPackage(): Promise<Package> {
  const folder = PACKED_FOLDER;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of SHIPPED) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await writeNotices(folder, await buildAll('package', folder));
  // Everything that runs is bundled: node_modules stays outside.
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  await createVSIX({ cwd: folder, packagePath: await packagePath(), dependencies: false });
  return readPackage();
}

/** Writes what the bundles contain of others: their licences, and the list of them for programs that look for known faults. */
async function writeNotices(folder: string, metafiles: ReadonlyMap<string, Metafile>): Promise<void> {
  const packages = listBundledPackages(ROOT, metafiles.values(), await listSources(folder));
  const version = versionOf(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));
  const product = { name: 'parley', version, license: 'Apache-2.0' };
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), printNotices(packages));
  await writeFile(join(folder, 'sbom.cdx.json'), printBillOfMaterials(product, packages));
}

/** The paths in the source maps of the bundles. */
async function listSources(folder: string): Promise<ReadonlySet<string>> {
  const sources = new Set<string>();
  for (const map of globSync('dist/**/*.js.map', { cwd: folder })) {
    const parsed: unknown = JSON.parse(await readFile(join(folder, map), 'utf8'));
    if (typeof parsed === 'object' && parsed !== null && 'sources' in parsed && Array.isArray(parsed.sources))
      for (const source of parsed.sources) sources.add(String(source));
  }
  return sources;
}

/** The folder that is packed. */
export const PACKED_FOLDER = join(ROOT, '.build/package');

/** The package that was built last. Throws where none was. */
export async function readPackage(): Promise<Package> {
  const path = await packagePath();
  const archive = await readFile(path);
  return { path, bytes: archive.length, entries: listZipEntries(archive) };
}

async function packagePath(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return join(ROOT, 'dist', `parley-${versionOf(manifest)}.vsix`);
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
