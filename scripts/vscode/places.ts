import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The npm package that contains VS Code's server and workbench. */
export const SERVER_PACKAGE = 'code-server';

/** A version of VS Code that tests run in. */
export interface VscodeBuild {
  readonly version: string;
  /** The version of the npm package that contains it. */
  readonly packageVersion: string;
  /** The version of Node that runs it; the project's own if absent. */
  readonly node?: string;
  /** Native modules that the server loads when it starts and that must be compiled; tests load no others. */
  readonly compiled: readonly string[];
}

export type BuildName = 'newest' | 'oldest';

/** The versions of VS Code that tests run in. The oldest one is the minimum in `engines` of package.json. */
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

/**
 * The build that `--vscode NAME` selects in a program's
 * arguments, by default the newest. Throws for an unknown name.
 */
export function buildOf(args: readonly string[]): BuildName {
  const at = args.indexOf('--vscode');
  const name = at < 0 ? 'newest' : args[at + 1];
  if (name === 'newest' || name === 'oldest') return name;
  throw new Error(`--vscode takes newest or oldest, not '${name ?? ''}'`);
}

/** A VS Code server that is ready to start. */
export interface PreparedServer {
  /** The path of the Node for which its native modules are compiled. */
  readonly node: string;
  /** The path of the server's entry module. */
  readonly main: string;
}

/**
 * The folder of a prepared server. It is outside the project, so that new clones share it. Each version,
 * platform and Node has its own, because native modules are compiled in it.
 */
export function cacheFolder(build: VscodeBuild, env: NodeJS.ProcessEnv): string {
  // An empty variable counts as unset, as the XDG specification says.
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const node = build.node === undefined ? `abi${process.versions.modules}` : `node${build.node}`;
  const key = [build.packageVersion, process.platform, process.arch, node].join('-');
  return join(cache, 'parley', `vscode-${key}`);
}

/** The folder of VS Code in a folder into which the package was installed. */
export function vscodeFolder(folder: string): string {
  return join(folder, 'node_modules', SERVER_PACKAGE, 'lib', 'vscode');
}

/** The path of the Node for a build that was installed into a folder. */
export function nodeOf(folder: string, build: VscodeBuild): string {
  return build.node === undefined ? process.execPath : join(folder, 'node_modules/node/bin/node');
}

/** The last file that a preparation writes; a folder without it is incomplete. */
export const MARKER = 'ready.json';

/** The prepared server in `folder`; undefined if no preparation was completed there. */
export function readPrepared(folder: string, build: VscodeBuild): PreparedServer | undefined {
  const main = join(vscodeFolder(folder), 'out', 'server-main.js');
  if (!existsSync(join(folder, MARKER)) || !existsSync(main)) return undefined;
  const marker: unknown = JSON.parse(readFileSync(join(folder, MARKER), 'utf8'));
  const isOurs = typeof marker === 'object' && marker !== null && 'version' in marker;
  return isOurs && marker.version === build.packageVersion
    ? { node: nodeOf(folder, build), main }
    : undefined;
}

/** The path of the first of `names` that exists in a folder of PATH; undefined if none does. */
export function findOnPath(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '');
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(path => existsSync(path));
}

/** The path of Chromium for tests: `PARLEY_CHROMIUM` if it exists, else the first one on PATH, else undefined. */
export function findChromium(env: NodeJS.ProcessEnv): string | undefined {
  const named = env['PARLEY_CHROMIUM'];
  if (named !== undefined && existsSync(named)) return named;
  return findOnPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], env);
}
