import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { ROOT } from '../root.ts';
import { findTests } from './mocha.ts';

/** Tests that are bundled for a host, and the runner that executes them. */
interface HostBundle {
  readonly folder: string;
  /** True for the names of files whose tests are included; all if missing. */
  readonly has?: (file: string) => boolean;
  /** The path of the runner relative to the project, and the function that it exports. */
  readonly runner: string;
  readonly run: string;
  readonly outfile: string;
  readonly options: BuildOptions;
}

/**
 * Bundles test/host/**\/*.test.ts for an extension host in Node; returns the bundle's path without its
 * extension, which VS Code expects. mocha is external: the host finds it in node_modules.
 */
export function bundleHostTests(): Promise<string> {
  return bundleTests({
    folder: 'test/host',
    runner: './test/host/runner/run-in-host.ts',
    run: 'runInHost',
    outfile: join(ROOT, '.build/host/tests.js'),
    // The same options as in scripts/build: prefer what packages provide for bundlers.
    options: {
      platform: 'node',
      mainFields: ['module', 'main'],
      target: 'node20',
      external: ['mocha'],
      // Thread programs are located next to the bundles of the product.
      define: {
        'import.meta.dirname': JSON.stringify(join(ROOT, 'dist')),
        'import.meta.filename': JSON.stringify(join(ROOT, 'dist', 'extension.js')),
      },
    },
  });
}

/** Tests whose server requests convert.test.ts also covers; in the web worker host only the stress tests run them. */
const STRESS_IN_WORKER = ['convert-selection.test.ts', 'paste.test.ts'];

/**
 * Bundles test/host/editing, whose tests do not need Node, for the web worker host. The bundle is written
 * into the extension's folder, because tests from other places run in the Node host.
 */
export function bundleWebTests(extension: string, which: 'gate' | 'rest'): Promise<string> {
  return bundleTests({
    folder: 'test/host/editing',
    has: file => STRESS_IN_WORKER.includes(file) === (which === 'rest'),
    runner: './test/host/runner/run-in-worker.ts',
    run: 'runInWorker',
    outfile: join(extension, 'tests.js'),
    options: {
      platform: 'browser',
      mainFields: ['browser', 'module', 'main'],
      target: 'chrome128',
      plugins: [replaceModules(IN_WORKER), keepMochaGlobal()],
    },
  });
}

/** Replacements for modules that are not available in a worker. */
const IN_WORKER: ReadonlyMap<string, string> = new Map([
  ['mocha', 'test/host/runner/mocha-in-worker.ts'],
  ['node:assert/strict', 'test/host/runner/assert-in-worker.ts'],
]);

async function bundleTests({
  folder,
  has = () => true,
  runner,
  run,
  outfile,
  options,
}: HostBundle): Promise<string> {
  const tests = findTests(join(ROOT, folder)).filter(file => has(basename(file)));
  const files = tests.map(file => `./${relative(ROOT, file).replaceAll('\\', '/')}`);
  const loaders = files.map(file => `[${JSON.stringify(file)}, () => import(${JSON.stringify(file)})],`);
  const { outputFiles = [] } = await build({
    absWorkingDir: ROOT,
    write: false,
    stdin: {
      contents: [
        `import { ${run} } from ${JSON.stringify(runner)};`,
        `export const run = () => ${run}([${loaders.join('\n')}]);`,
      ].join('\n'),
      resolveDir: ROOT,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    format: 'cjs',
    sourcemap: 'inline',
    logLevel: 'warning',
    ...options,
    external: ['vscode', ...(options.external ?? [])],
  });
  await mkdir(dirname(outfile), { recursive: true });
  for (const { path, contents } of outputFiles) await writeFile(path, contents);
  return outfile.replace(/\.js$/, '');
}

function replaceModules(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'replace-modules',
    setup(build) {
      build.onResolve({ filter: /^(mocha|node:.*)$/ }, ({ path }) => {
        const replaced = modules.get(path);
        return replaced === undefined ? undefined : { path: join(ROOT, replaced) };
      });
    },
  };
}

/**
 * Hides `module`, `exports` and `define` from mocha's browser
 * build, which would otherwise become the exports of the bundle.
 */
function keepMochaGlobal(): Plugin {
  return {
    name: 'keep-mocha-global',
    setup(build) {
      build.onLoad({ filter: /[\\/]mocha[\\/]mocha\.js$/ }, async ({ path }) => ({
        contents: `var module, exports, define;\n${await readFile(path, 'utf8')}`,
        loader: 'js',
      }));
    },
  };
}
