import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { ROOT } from '../root.ts';
import { PrepareError, runCommand } from './command.ts';
import {
  buildOf,
  cacheFolder,
  MARKER,
  nodeOf,
  readPrepared,
  SERVER_PACKAGE,
  VSCODE_BUILDS,
  vscodeFolder,
  type PreparedServer,
  type VscodeBuild,
} from './places.ts';
import { ensureChromium, ensureCompiler } from './system.ts';

const NPM_FLAGS = ['--no-audit', '--no-fund', '--loglevel=error'];

/** The age after which a temporary folder is considered abandoned by a killed preparation. */
const ABANDONED_MS = 60 * 60 * 1000;

export type Log = (line: string) => void;

/**
 * Returns VS Code's server from the cache and installs it there first if it is missing (about a minute, 500
 * MB). It is prepared in a temporary folder that is then renamed, so a killed run leaves nothing incomplete.
 * Throws `PrepareError` if a requirement is missing and cannot be installed.
 */
export async function prepareServer(log: Log, build = VSCODE_BUILDS.newest): Promise<PreparedServer> {
  const folder = cacheFolder(build, process.env);
  const ready = readPrepared(folder, build);
  if (ready !== undefined) return ready;
  await ensureCompiler(log);
  await mkdir(dirname(folder), { recursive: true });
  await removeAbandoned(folder);
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    await install(unfinished, build, log);
    await moveInto(folder, unfinished, build);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  const prepared = readPrepared(folder, build);
  if (prepared === undefined)
    throw new PrepareError(`VS Code was prepared in ${folder}, but no server is in it`);
  return prepared;
}

/** Prepares what tests need: the server and Chromium. */
export async function prepareForTests(
  log: Log,
  build = VSCODE_BUILDS.newest,
): Promise<{ server: PreparedServer; chromium: string }> {
  const chromium = await ensureChromium(log);
  return { server: await prepareServer(log, build), chromium };
}

async function install(folder: string, build: VscodeBuild, log: Log): Promise<void> {
  const { packageVersion: version, compiled } = build;
  log(`installing ${SERVER_PACKAGE} ${version} (VS Code's server) …`);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const npm = npmOf(process.execPath);
  await npm(['install', '--ignore-scripts', ...NPM_FLAGS, `${SERVER_PACKAGE}@${version}`], folder);
  // The npm package of Node installs its executable with a script.
  if (build.node !== undefined) await npm(['install', ...NPM_FLAGS, `node@${build.node}`], folder);
  const node = nodeOf(folder, build);
  const vscode = vscodeFolder(folder);
  await npm(['install', '--omit=dev', '--ignore-scripts', ...NPM_FLAGS], vscode);
  log(`compiling ${compiled.join(', ')} …`);
  await npmOf(node)(['rebuild', '--loglevel=error', ...compiled], vscode);
  const server = join(vscode, 'out', 'server-main.js');
  await runCommand(node, [server, '--version'], { cwd: vscode });
  await writeFile(join(folder, MARKER), JSON.stringify({ version, node: process.version }));
}

/** Moves the finished folder to its place, unless another run finished first. A folder without a marker is replaced. */
async function moveInto(folder: string, unfinished: string, build: VscodeBuild): Promise<void> {
  if (readPrepared(folder, build) !== undefined) return;
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder).catch((error: unknown) => {
    if (readPrepared(folder, build) === undefined) throw error;
  });
}

async function removeAbandoned(folder: string): Promise<void> {
  const parent = dirname(folder);
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    if (!name.startsWith(`${basename(folder)}.`)) continue;
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true });
  }
}

/** npm, run by a given Node with the matching headers for native modules. */
function npmOf(node: string): (args: readonly string[], cwd: string) => Promise<void> {
  const cli = process.env['npm_execpath'];
  const env = npmEnvironment(node);
  return (args, cwd) =>
    cli !== undefined && cli.endsWith('.js')
      ? runCommand(node, [cli, ...args], { cwd, env })
      : runCommand('npm', args, { cwd, env });
}

function npmEnvironment(node: string): NodeJS.ProcessEnv {
  // Variables that an outer `npm run` sets for this project must not reach npm in another folder.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle)_|^npm_config_(local_prefix|nodedir)$|^INIT_CWD$/i.test(name),
  );
  const env: NodeJS.ProcessEnv = Object.fromEntries(inherited);
  env['PATH'] = [dirname(node), process.env['PATH'] ?? ''].join(delimiter);
  // The npm package of Node includes the headers, even if another Node of the same version runs this program.
  const home = node === process.execPath ? join(ROOT, 'node_modules/node') : dirname(dirname(node));
  const headers = join(home, 'node_modules', `node-${process.platform}-${process.arch}`);
  if (existsSync(join(headers, 'include'))) env['npm_package_config_node_gyp_nodedir'] = headers;
  return env;
}

async function main(): Promise<void> {
  const log: Log = line => console.log(line);
  const build = VSCODE_BUILDS[buildOf(process.argv)];
  const { server, chromium } = await prepareForTests(log, build);
  if (!process.argv.includes('--quiet')) log(`VS Code's server: ${server.main}\nChromium: ${chromium}`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof PrepareError ? error.message : error);
    process.exitCode = 1;
  });
}
