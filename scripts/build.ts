import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, context, type Metafile } from 'esbuild';
import { listBundles, type Bundle } from './build/bundles.ts';
import { bundleOptions, type BuildKind } from './build/options.ts';
import { ROOT } from './root.ts';

/**
 * Builds all bundles into the dist/ of a folder, by default the project's;
 * returns the metafiles by bundle path. Throws if a build fails.
 */
export async function buildAll(kind: BuildKind, folder = ROOT): Promise<ReadonlyMap<string, Metafile>> {
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  const bundles = listBundles(ROOT);
  const metafiles = await Promise.all(bundles.map(bundle => buildOne(bundle, kind, folder)));
  return new Map(
    bundles.map((bundle, index) => [bundle.output, metafiles[index] ?? { inputs: {}, outputs: {} }]),
  );
}

async function buildOne(bundle: Bundle, kind: BuildKind, folder: string): Promise<Metafile> {
  const options = bundleOptions(ROOT, bundle, kind);
  const result = await build({ ...options, outfile: join(folder, bundle.output) });
  return result.metafile ?? { inputs: {}, outputs: {} };
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
  for (const bundle of listBundles(ROOT)) {
    const watcher = await context(bundleOptions(ROOT, bundle, 'development'));
    await watcher
      .rebuild()
      .catch(() => undefined /* esbuild has printed why; the next change builds again. */);
    await watcher.watch();
  }
  console.log('build finished, watching');
}

function describeSizes(metafiles: ReadonlyMap<string, Metafile>): string {
  const rows = [...metafiles].map(([output, { outputs }]) => {
    const bytes = outputs[output]?.bytes ?? 0;
    return `${(bytes / 1024).toFixed(0).padStart(7)} KiB  ${output}`;
  });
  return rows.join('\n');
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { watch: { type: 'boolean' }, package: { type: 'boolean' } },
  });
  if (values.watch) return watch();
  const metafiles = await buildAll(values.package ? 'package' : 'development');
  await writeMetafiles(metafiles);
  console.log(describeSizes(metafiles));
}

if (import.meta.main) {
  await main().catch(() => {
    // esbuild has already printed the error.
    process.exitCode = 1;
  });
}
