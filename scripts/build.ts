import { globSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, context, type BuildOptions, type Metafile } from 'esbuild';
import { listBundles, type Bundle } from './build/bundles.ts';
import { bundleOptions, sharedOptions, type BuildKind } from './build/options.ts';
import { selectBundle } from './build/split.ts';
import { ROOT } from './root.ts';

/**
 * Builds all bundles into the dist/ of a folder, by default the project's;
 * returns the metafiles by bundle path. Throws if a build fails.
 */
export async function buildAll(kind: BuildKind, folder = ROOT): Promise<ReadonlyMap<string, Metafile>> {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  const metafiles = await Promise.all(
    listBuilds(kind, folder).map(async ({ bundles, options }) => {
      const { metafile = { inputs: {}, outputs: {} } } = await build(options);
      return bundles.map(bundle => [bundle.output, readMetafile(metafile, bundle)] as const);
    }),
  );
  return new Map(metafiles.flat());
}

/** A run of esbuild and the bundles that it writes. */
interface Build {
  readonly bundles: readonly Bundle[];
  readonly options: BuildOptions;
}

function listBuilds(kind: BuildKind, folder: string): readonly Build[] {
  const bundles = listBundles(ROOT);
  const sharing = bundles.filter(({ shares }) => shares);
  return [
    { bundles: sharing, options: sharedOptions(ROOT, sharing, kind, folder) },
    ...bundles
      .filter(({ shares }) => !shares)
      .map(bundle => ({ bundles: [bundle], options: bundleOptions(ROOT, bundle, kind, folder) })),
  ];
}

function readMetafile(metafile: Metafile, { entry, output, shares }: Bundle): Metafile {
  return shares ? selectBundle(metafile, entry, output) : metafile;
}

/** Writes the metafiles for the bundle tests and for esbuild's analyser. */
async function writeMetafiles(metafiles: ReadonlyMap<string, Metafile>): Promise<void> {
  for (const [output, metafile] of metafiles) {
    const path = metafilePath(output);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, JSON.stringify(metafile));
  }
}

/** The path of the metafile of a bundle. */
export function metafilePath(output: string): string {
  return join(ROOT, '.build/meta', `${output}.json`);
}

/** Rebuilds on every change until the process ends. .vscode/tasks.json waits for the two printed lines. */
async function watch(): Promise<void> {
  console.log('build started');
  for (const { options } of listBuilds('development', ROOT)) {
    const watcher = await context(options);
    await watcher
      .rebuild()
      .catch(() => undefined /* esbuild has printed why; the next change builds again. */);
    await watcher.watch();
  }
  console.log('build finished, watching');
}

function describeSizes(): string {
  const files = globSync('dist/**/*.js', { cwd: ROOT }).sort();
  return files
    .map(file => `${(statSync(join(ROOT, file)).size / 1024).toFixed(0).padStart(7)} KiB  ${file}`)
    .join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { watch: { type: 'boolean' }, package: { type: 'boolean' } },
  });
  if (values.watch) return watch();
  const metafiles = await buildAll(values.package ? 'package' : 'development');
  await writeMetafiles(metafiles);
  console.log(describeSizes());
}

if (import.meta.main) {
  await main().catch(() => {
    // esbuild has already printed the error.
    process.exitCode = 1;
  });
}
