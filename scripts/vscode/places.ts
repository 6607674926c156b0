import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The npm package that carries VS Code's own server and workbench; its 4.N.M holds VS Code 1.N.M. */
export const SERVER_PACKAGE = { name: 'code-server', version: '4.139.1' } as const;

/** The version of VS Code that tests run in. */
export const VSCODE_VERSION = '1.139.1';

/** A VS Code server that is ready to start. */
export interface PreparedServer {
  /** The server's entry, run by the Node that prepared it. */
  readonly main: string;
}

/**
 * The folder of the prepared server: outside the project, so that a fresh clone finds it, and one for each
 * version, machine and Node, because native modules are compiled in it.
 */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  // An empty variable counts as unset, as the XDG specification says.
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const key = [SERVER_PACKAGE.version, process.platform, process.arch, `abi${process.versions.modules}`].join(
    '-',
  );
  return join(cache, 'parley', `vscode-${key}`);
}

/** Where VS Code lies in a folder that the package was installed into. */
export function vscodeFolder(folder: string): string {
  return join(folder, 'node_modules', SERVER_PACKAGE.name, 'lib', 'vscode');
}

/** The last file that a preparation writes; a folder without it was left by one that ended early. */
export const MARKER = 'ready.json';

/** The server in `folder`, or undefined where no preparation was finished there. */
export function readPrepared(folder: string): PreparedServer | undefined {
  const main = join(vscodeFolder(folder), 'out', 'server-main.js');
  if (!existsSync(join(folder, MARKER)) || !existsSync(main)) return undefined;
  const marker: unknown = JSON.parse(readFileSync(join(folder, MARKER), 'utf8'));
  const isOurs = typeof marker === 'object' && marker !== null && 'version' in marker;
  return isOurs && marker.version === SERVER_PACKAGE.version ? { main } : undefined;
}

/** The first of `names` that is a file in a folder of PATH, or undefined. */
export function findOnPath(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(path => existsSync(path));
}

/** Chromium for tests: the one that PARLEY_CHROMIUM names, else the first on PATH, else undefined. */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['PARLEY_CHROMIUM'];
  if (named !== undefined && existsSync(named)) return named;
  return findOnPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], env);
}
