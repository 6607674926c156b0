import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The npm package that carries VS Code's own server and workbench. */
export const SERVER_PACKAGE = 'code-server';

/** A version of VS Code that tests run in. */
export interface VscodeBuild {
  readonly version: string;
  /** The version of the npm package that carries it. */
  readonly packageVersion: string;
  /** The version of Node that runs its extensions; the project's own where this is missing. */
  readonly node?: string;
  /** Modules that the server loads at its start and that come as source; tests load no other native module. */
  readonly compiled: readonly string[];
}

/** Which of the versions. */
export type BuildName = 'newest' | 'oldest';

/** The versions of VS Code that tests run in. The oldest is the one that `engines` in package.json promises. */
export const VSCODE_BUILDS: Readonly<Record<BuildName, VscodeBuild>> = {
  newest: {
    version: '1.139.1',
    packageVersion: '4.139.1',
    compiled: ['@vscode/spdlog', '@vscode/native-watchdog'],
  },
  oldest: {
    version: '1.100.3',
    packageVersion: '4.100.3',
    node: '20.19.0',
    compiled: ['@vscode/spdlog', 'native-watchdog'],
  },
};

/** The build that the arguments of a program name by `--vscode NAME`; the newest where they name none. Throws on another name. */
export function buildOf(args: readonly string[]): BuildName {
  const at = args.indexOf('--vscode');
  const name = at < 0 ? 'newest' : args[at + 1];
  if (name === 'newest' || name === 'oldest') return name;
  throw new Error(`--vscode takes newest or oldest, not '${name ?? ''}'`);
}

/** A VS Code server that is ready to start. */
export interface PreparedServer {
  /** The Node that runs it: its native modules are compiled for that one. */
  readonly node: string;
  /** The server's entry. */
  readonly main: string;
}

/**
 * The folder of a prepared server: outside the project, so that a fresh clone finds it, and one for each
 * version, machine and Node, because native modules are compiled in it.
 */
export function cacheFolder(build: VscodeBuild, env: NodeJS.ProcessEnv): string {
  // An empty variable counts as unset, as the XDG specification says.
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const node = build.node === undefined ? `abi${process.versions.modules}` : `node${build.node}`;
  const key = [build.packageVersion, process.platform, process.arch, node].join('-');
  return join(cache, 'parley', `vscode-${key}`);
}

/** Where VS Code lies in a folder that the package was installed into. */
export function vscodeFolder(folder: string): string {
  return join(folder, 'node_modules', SERVER_PACKAGE, 'lib', 'vscode');
}

/** The Node that runs a build which was installed into a folder. */
export function nodeOf(folder: string, build: VscodeBuild): string {
  return build.node === undefined ? process.execPath : join(folder, 'node_modules/node/bin/node');
}

/** The last file that a preparation writes; a folder without it was left by one that ended early. */
export const MARKER = 'ready.json';

/** The server in `folder`, or undefined where no preparation was finished there. */
export function readPrepared(folder: string, build: VscodeBuild): PreparedServer | undefined {
  const main = join(vscodeFolder(folder), 'out', 'server-main.js');
  if (!existsSync(join(folder, MARKER)) || !existsSync(main)) return undefined;
  const marker: unknown = JSON.parse(readFileSync(join(folder, MARKER), 'utf8'));
  const isOurs = typeof marker === 'object' && marker !== null && 'version' in marker;
  return isOurs && marker.version === build.packageVersion
    ? { node: nodeOf(folder, build), main }
    : undefined;
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
