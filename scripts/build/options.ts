import { readFields } from '../../core/text/fields.ts';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import type { Bundle, BundleHost } from './bundles.ts';

/** `development` is quick to read in a debugger, `package` is small. */
export type BuildKind = 'development' | 'package';

/** node20 is the oldest Node that runs the command line; no VS Code that is supported has a Chromium older than 128. */
const NODE: BuildOptions = {
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // A thread's program lies beside the bundle that starts it.
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
};
const WORKER: BuildOptions = { platform: 'browser', format: 'cjs', target: 'chrome128' };

const HOSTS: Readonly<Record<BundleHost, BuildOptions>> = {
  'vscode-node': { ...NODE, external: ['vscode'] },
  'vscode-worker': { ...WORKER, external: ['vscode'] },
  node: NODE,
  worker: { ...WORKER, format: 'iife' },
  // For Node and for workers: Node's import() finds the names in a file of its own platform alone.
  any: { ...NODE, target: ['node20', 'chrome128'] },
  webview: { platform: 'browser', format: 'iife', target: 'chrome128', loader: { '.ttf': 'file' } },
};

/** An encoding or a library that is loaded when it is asked for stays a file of its own beside the bundle that asks. */
const APART: Plugin = {
  name: 'apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/\w+_base\.ts$/ }, ({ path, kind }) =>
      kind === 'dynamic-import'
        ? { path: path.replace(/^\.\/(\w+)\.ts$/, './tokens-$1.js'), external: true }
        : undefined,
    );
    build.onResolve({ filter: /\/library\.ts$/ }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import'
        ? { path: `./${basename(dirname(join(resolveDir, path)))}.js`, external: true }
        : undefined,
    );
  },
};

/**
 * A list of tokens is packed when a bundle is made: the engine takes sixty megabytes to read one as an array of texts, and
 * a few to read one text.
 */
const PACKED_TOKENS: Plugin = {
  name: 'packed-tokens',
  setup(build) {
    build.onLoad({ filter: /[\\/]tokenizers[\\/]lists[\\/]\w+\.ts$/ }, async ({ path }) => {
      const list: unknown = await import(pathToFileURL(path).href);
      const packed = readFields(list)?.get('packed');
      return { contents: `export const packed = ${JSON.stringify(packed)};`, loader: 'js' };
    });
  },
};

/**
 * esbuild's options for one bundle.
 * Source maps lie beside the bundles for debuggers; .vscodeignore keeps them out of the package.
 */
export function bundleOptions(root: string, bundle: Bundle, kind: BuildKind): BuildOptions {
  const isPackage = kind === 'package';
  return {
    absWorkingDir: root,
    entryPoints: [bundle.entry],
    outfile: join(root, bundle.output),
    bundle: true,
    metafile: true,
    minify: isPackage,
    // Names of classes and functions stand in log lines and in Chevrotain's rules.
    keepNames: true,
    sourcemap: isPackage ? 'external' : 'linked',
    legalComments: 'none',
    logLevel: 'warning',
    // ESM builds of the LSP libraries are bundled rather than their UMD builds, whose require esbuild cannot follow.
    mainFields: bundle.host.endsWith('node') ? ['module', 'main'] : ['browser', 'module', 'main'],
    ...HOSTS[bundle.host],
    plugins: [APART, PACKED_TOKENS],
    // Libraries write addresses and what servers said to their console: it goes where secrets are replaced.
    ...(/\/library\.ts$/.test(bundle.entry)
      ? { inject: [join(root, 'scripts/build/library-console.js')] }
      : {}),
  };
}
