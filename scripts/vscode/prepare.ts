import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { ROOT } from '../root.ts';
import { PrepareError, runCommand } from './command.ts';
import {
  cacheFolder,
  MARKER,
  readPrepared,
  SERVER_PACKAGE,
  vscodeFolder,
  type PreparedServer,
} from './places.ts';
import { ensureChromium, ensureCompiler } from './system.ts';

/** Modules that the server loads at its start and that come as source; what else is native in it tests never load. */
const COMPILED = ['@vscode/spdlog', '@vscode/native-watchdog'];

const NPM_FLAGS = ['--no-audit', '--no-fund', '--loglevel=error'];

/** A temporary folder older than this was left by a preparation that was killed. */
const ABANDONED_MS = 60 * 60 * 1000;

export type Log = (line: string) => void;

/**
 * VS Code's server from the cache, put there first where it is missing (about a minute, 500 MB).
 * It is made in a folder beside its place and renamed when it is whole, so a killed run leaves nothing half done.
 * Throws PrepareError where something is missing that cannot be had here.
 */
export async function prepareServer(log: Log): Promise<PreparedServer> {
  const folder = cacheFolder(process.env);
  const ready = readPrepared(folder);
  if (ready !== undefined) return ready;
  await ensureCompiler(log);
  await mkdir(dirname(folder), { recursive: true });
  await removeAbandoned(folder);
  const unfinished = await mkdtemp(`${folder}.`);
  try {
    await install(unfinished, log);
    await moveInto(folder, unfinished);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  const prepared = readPrepared(folder);
  if (prepared === undefined)
    throw new PrepareError(`VS Code was prepared in ${folder}, but no server is in it`);
  return prepared;
}

/** What tests need: the server and the path of Chromium. */
export async function prepareForTests(log: Log): Promise<{ server: PreparedServer; chromium: string }> {
  const chromium = await ensureChromium(log);
  return { server: await prepareServer(log), chromium };
}

async function install(folder: string, log: Log): Promise<void> {
  const { name, version } = SERVER_PACKAGE;
  log(`installing ${name} ${version} (VS Code's server) …`);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  await npm(['install', '--ignore-scripts', ...NPM_FLAGS, `${name}@${version}`], folder);
  const vscode = vscodeFolder(folder);
  await npm(['install', '--omit=dev', '--ignore-scripts', ...NPM_FLAGS], vscode);
  log(`compiling ${COMPILED.join(', ')} …`);
  await npm(['rebuild', '--loglevel=error', ...COMPILED], vscode);
  const server = join(vscode, 'out', 'server-main.js');
  await runCommand(process.execPath, [server, '--version'], { cwd: vscode });
  await writeFile(join(folder, MARKER), JSON.stringify({ version, node: process.version }));
}

/** Another run may have finished first: its folder is as good. A folder without a marker there is in the way. */
async function moveInto(folder: string, unfinished: string): Promise<void> {
  if (readPrepared(folder) !== undefined) return;
  await rm(folder, { recursive: true, force: true });
  await rename(unfinished, folder).catch((error: unknown) => {
    if (readPrepared(folder) === undefined) throw error;
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

/** Runs npm by the Node of this process, with the headers that came with it for native modules. */
function npm(args: readonly string[], cwd: string): Promise<void> {
  const cli = process.env['npm_execpath'];
  const env = npmEnvironment();
  return cli !== undefined && cli.endsWith('.js')
    ? runCommand(process.execPath, [cli, ...args], { cwd, env })
    : runCommand('npm', args, { cwd, env });
}

function npmEnvironment(): NodeJS.ProcessEnv {
  // What an outer `npm run` says of this project must not reach the npm that works in another folder.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package|lifecycle)_|^npm_config_(local_prefix|nodedir)$|^INIT_CWD$/i.test(name),
  );
  const env: NodeJS.ProcessEnv = Object.fromEntries(inherited);
  env['PATH'] = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  const headers = join(ROOT, 'node_modules/node/node_modules', `node-${process.platform}-${process.arch}`);
  if (existsSync(join(headers, 'include'))) env['npm_package_config_node_gyp_nodedir'] = headers;
  return env;
}

async function main(): Promise<void> {
  const log: Log = line => console.log(line);
  const { server, chromium } = await prepareForTests(log);
  if (!process.argv.includes('--quiet')) log(`VS Code's server: ${server.main}\nChromium: ${chromium}`);
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof PrepareError ? error.message : error);
    process.exitCode = 1;
  });
}
