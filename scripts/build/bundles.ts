import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENCODINGS } from '../../core/catalog/costs.ts';

/** The host of a bundle, which determines its format, its target and its external modules. */
export const BUNDLE_HOSTS = ['vscode-node', 'vscode-worker', 'node', 'worker', 'webview', 'any'] as const;
export type BundleHost = (typeof BUNDLE_HOSTS)[number];

/** A file in dist/ and its entry source; both paths are relative to the project. */
export interface Bundle {
  readonly entry: string;
  readonly output: string;
  readonly host: BundleHost;
  /** Whether its code is in files that it shares with the other such bundles. */
  readonly shares?: true;
}

const NAMED: readonly Bundle[] = [
  { entry: 'client/src/main.node.ts', output: 'dist/extension.js', host: 'vscode-node', shares: true },
  { entry: 'client/src/main.browser.ts', output: 'dist/extension.browser.js', host: 'vscode-worker' },
  { entry: 'server/src/main.node.ts', output: 'dist/server.js', host: 'node', shares: true },
  { entry: 'server/src/main.browser.ts', output: 'dist/server.browser.js', host: 'worker' },
  { entry: 'cli/src/main.ts', output: 'dist/cli.js', host: 'node', shares: true },
  { entry: 'cli/src/json/library.ts', output: 'dist/json.js', host: 'node' },
  {
    entry: 'agents/proxy/thread/recorder-program.ts',
    output: 'dist/recorder.js',
    host: 'node',
    shares: true,
  },
  ...ENCODINGS.map(({ name }) => ({
    entry: `tokenizers/${name}.ts`,
    output: `dist/tokens-${name}.js`,
    host: 'any' as const,
  })),
];

/**
 * The bundles whose source exists under `root`: the named ones, one for each protocol library, and one for
 * each webview folder with a main.ts.
 */
export function listBundles(root: string): readonly Bundle[] {
  return [...NAMED, ...listLibraries(root), ...listWebviews(root)].filter(bundle =>
    existsSync(join(root, bundle.entry)),
  );
}

/** The library of a protocol, `agents/NAME/library.ts`, is a separate bundle that is loaded at the first call. */
function listLibraries(root: string): readonly Bundle[] {
  const folder = join(root, 'agents');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => ({
      entry: `agents/${name}/library.ts`,
      output: `dist/${name}.js`,
      host: 'node',
    }));
}

function listWebviews(root: string): readonly Bundle[] {
  const folder = join(root, 'client/webviews');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => ({
      entry: `client/webviews/${name}/main.ts`,
      output: `dist/webviews/${name}.js`,
      host: 'webview',
    }));
}
