import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENCODINGS } from '../../core/catalog/costs.ts';
import { isRecord } from '../../core/guard.ts';
import { ROOT } from '../root.ts';

/** The extension in the form that a browser loads. */
export interface WebExtension {
  readonly folder: string;
  remove(): Promise<void>;
}

const FILES = [
  'dist/extension.browser.js',
  'dist/server.browser.js',
  'dist/webviews',
  ...ENCODINGS.map(({ name }) => `dist/tokens-${name}.js`),
  'media',
  'schemas',
  'syntaxes',
];

/** Manifest keys for which VS Code would prefer a host with Node. */
const NODE_KEYS: ReadonlySet<string> = new Set(['main', 'extensionKind']);

/**
 * Copies the built extension so that VS Code starts it in
 * the web worker host, which is the only host on vscode.dev.
 */
export async function writeWebExtension(): Promise<WebExtension> {
  const manifest: unknown = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  if (!isRecord(manifest)) throw new Error('writeWebExtension: package.json is not an object');
  const folder = await mkdtemp(join(tmpdir(), 'parley-web-'));
  for (const file of FILES) await cp(join(ROOT, file), join(folder, file), { recursive: true });
  const stored = Object.entries(manifest).filter(([key]) => !NODE_KEYS.has(key));
  await writeFile(join(folder, 'package.json'), JSON.stringify(Object.fromEntries(stored)));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
