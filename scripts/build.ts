import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, context, type Metafile } from 'esbuild';
import { listBundles, type Bundle } from './build/bundles.ts';
import { bundleOptions, type BuildKind } from './build/options.ts';
import { ROOT } from './root.ts';

/**
 * Bundles everything into dist/ of a folder, the project's own if none is given; returns what went into each bundle, by the
 * bundle's path. Throws where a source does not build.
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

/** Writes each bundle's metafile to .build/meta/, for esbuild's analyser. */
async function writeMetafiles(metafiles: ReadonlyMap<string, Metafile>): Promise<void> {
  const folder = join(ROOT, '.build/meta');
  await mkdir(folder, { recursive: true });
  for (const [output, metafile] of metafiles) {
    await writeFile(join(folder, `${basename(output, '.js')}.json`), JSON.stringify(metafile));
  }
}

/** Builds again on every change until the process ends. The two lines are what .vscode/tasks.json waits for. */
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
    options: { watch: { type: 'boolean' }, metafile: { type: 'boolean' }, package: { type: 'boolean' } },
  });
  if (values.watch) return watch();
  const metafiles = await buildAll(values.package ? 'package' : 'development');
  if (values.metafile) await writeMetafiles(metafiles);
  console.log(describeSizes(metafiles));
}

if (import.meta.main) {
  await main().catch(() => {
    // esbuild has printed what is wrong and where.
    process.exitCode = 1;
  });
}
