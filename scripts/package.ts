import { createVSIX } from '@vscode/vsce';
import { globSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Metafile } from 'esbuild';
import { buildAll } from './build.ts';
import { listBundledPackages, printBillOfMaterials, printNotices } from './package/bundled.ts';
import { listZipEntries, type ZipEntry } from './package/zip-entries.ts';
import { readFields } from '../core/text/fields.ts';
import { ROOT } from './root.ts';

/** The packed extension. */
export interface Package {
  readonly path: string;
  readonly bytes: number;
  readonly entries: readonly ZipEntry[];
}

/** The files for the package in addition to the bundles; .vscodeignore, which is one of them, filters the result. */
const SHIPPED = [
  '.vscodeignore',
  'package.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'SECURITY.md',
  'media',
  'schemas',
  'syntaxes',
];

/**
 * Builds the extension and packs it into dist/parley-VERSION.vsix, in a separate folder because files in
 * dist/ may be in use. Throws if building or packing fails.
 */
async function buildPackage(): Promise<Package> {
  const folder = PACKED_FOLDER;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of SHIPPED) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await linkToRepository(join(folder, 'SECURITY.md'));
  await writeNotices(folder, await buildAll('package', folder));
  // All code is bundled, so node_modules is not packed.
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  await createVSIX({ cwd: folder, packagePath: await packagePath(), dependencies: false });
  return readPackage();
}

/**
 * Makes the relative links of a Markdown file lead to the repository of package.json, because their targets are not
 * packed. vsce does the same for README.md and CHANGELOG.md.
 */
async function linkToRepository(path: string): Promise<void> {
  const manifest = readFields(JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')));
  const url = readFields(manifest?.get('repository'))?.get('url');
  if (typeof url !== 'string') throw new Error('package.json has no repository.url');
  const repository = url.replace(/\.git$/, '');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/\]\((?![a-z]+:|#)/g, `](${repository}/blob/HEAD/`));
}

/** Writes the licence notices and the bill of materials of bundled packages; vulnerability scanners read the latter. */
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

/** The folder in which the package is assembled. */
export const PACKED_FOLDER = join(ROOT, '.build/package');

/** The package that was built last. Throws if there is none. */
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
  // vsce has already listed the files.
  console.log(`${relative(ROOT, path)}: ${entries.length} files, ${(bytes / 1024).toFixed(0)} KiB`);
}
