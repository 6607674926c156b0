import { build } from 'esbuild';
import { join, relative } from 'node:path';
import { ROOT } from '../root.ts';
import { findTests } from './mocha.ts';

/** What the bundle calls with its test files. */
const RUNNER = 'runInHost';

/**
 * Bundles test/host/**\/*.test.ts for an extension host; returns the bundle's path without its ending, as
 * VS Code wants it. mocha stays outside: the host finds it in node_modules.
 */
export async function bundleHostTests(): Promise<string> {
  const outfile = join(ROOT, '.build/host/tests.js');
  const files = findTests(join(ROOT, 'test/host')).map(
    file => `./${relative(ROOT, file).replaceAll('\\', '/')}`,
  );
  const loaders = files.map(file => `[${JSON.stringify(file)}, () => import(${JSON.stringify(file)})],`);
  await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: [
        `import { ${RUNNER} } from './test/host/runner/run-in-host.ts';`,
        `export const run = () => ${RUNNER}([${loaders.join('\n')}]);`,
      ].join('\n'),
      resolveDir: ROOT,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    // As scripts/build does: what a package offers for bundlers.
    mainFields: ['module', 'main'],
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return outfile.replace(/\.js$/, '');
}
