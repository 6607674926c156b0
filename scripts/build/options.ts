import { readFields } from '../../core/text/fields.ts';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions, Plugin } from 'esbuild';
import type { Bundle, BundleHost } from './bundles.ts';
import { splitOptions } from './split.ts';

/** `development` is readable in a debugger, `package` is minified. */
export type BuildKind = 'development' | 'package';

/** node20 is the oldest Node that the command line supports; every supported VS Code has Chromium 128 or later. */
const NODE: BuildOptions = {
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  // Thread programs are located next to the bundle that starts them.
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
};
const WORKER: BuildOptions = { platform: 'browser', format: 'cjs', target: 'chrome128' };

const HOSTS: Readonly<Record<BundleHost, BuildOptions>> = {
  'vscode-node': { ...NODE, external: ['vscode'] },
  'vscode-worker': { ...WORKER, external: ['vscode'] },
  node: NODE,
  worker: { ...WORKER, format: 'iife' },
  // For Node and workers: Node's `import()` finds named exports only in output for its own platform.
  any: { ...NODE, target: ['node20', 'chrome128'] },
  webview: { platform: 'browser', format: 'iife', target: 'chrome128', loader: { '.ttf': 'file' } },
};

/** What bundles contain instead of two packages of the JSON language service. */
const SERVICE_PARTS = 'scripts/build/json-service-parts.ts';

/** Leaves dynamically imported encodings and libraries as separate files next to the importing bundle. */
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
 * Packs token lists at build time: the engine needs sixty megabytes
 * to parse one as an array of strings, and a few as one string.
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
 * esbuild options for a bundle. Source maps are written next to
 * bundles for debuggers; .vscodeignore excludes them from the package.
 */
export function bundleOptions(root: string, bundle: Bundle, kind: BuildKind, folder: string): BuildOptions {
  return {
    ...commonOptions(root, bundle.host, kind),
    entryPoints: [bundle.entry],
    outfile: join(folder, bundle.output),
    // Libraries log URLs and server output to the console, so it is redirected to one that replaces secrets.
    ...(/\/library\.ts$/.test(bundle.entry)
      ? { inject: [join(root, 'scripts/build/library-console.js')] }
      : {}),
  };
}

/** esbuild options for all bundles that share code. They run in Node; one of them also loads the module `vscode`. */
export function sharedOptions(
  root: string,
  bundles: readonly Bundle[],
  kind: BuildKind,
  folder: string,
): BuildOptions {
  return splitOptions({
    ...commonOptions(root, 'vscode-node', kind),
    entryPoints: Object.fromEntries(bundles.map(({ entry, output }) => [basename(output, '.js'), entry])),
    outdir: join(folder, 'dist'),
  });
}

function commonOptions(root: string, host: BundleHost, kind: BuildKind): BuildOptions {
  const isPackage = kind === 'package';
  return {
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    minify: isPackage,
    // Names of functions in stack traces; in the package they would take 5 % of its size.
    keepNames: !isPackage,
    sourcemap: isPackage ? 'external' : 'linked',
    legalComments: 'none',
    logLevel: 'warning',
    // Prefers the ESM builds of the LSP libraries, because esbuild cannot follow `require` in their UMD builds.
    mainFields: host.endsWith('node') ? ['module', 'main'] : ['browser', 'module', 'main'],
    ...HOSTS[host],
    alias: Object.fromEntries(['@vscode/l10n', 'vscode-uri'].map(name => [name, join(root, SERVICE_PARTS)])),
    plugins: [APART, PACKED_TOKENS],
  };
}
