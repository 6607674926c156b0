import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PrepareError, runCommand } from './command.ts';
import type { PreparedServer } from './places.ts';

export interface ServerOptions {
  /** `off` trusts every folder without a question; `asked` is what a user meets: a new folder opens restricted. */
  readonly trust: 'off' | 'asked';
  /**
   * Who drives the window. `tests` lets the page's address name extensionDevelopmentPath and extensionTestsPath, which a
   * built VS Code ignores without its smoke test driver; under that driver it shows no notification.
   */
  readonly driver: 'tests' | 'person';
  /** Settings of this machine, as in settings.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Which of VS Code's own extensions are there: `few` are those that tests use, for a quicker start. */
  readonly bundled: 'all' | 'few';
  /** Commands of VS Code by keys of the user's, such as `Control+Alt+F5`. */
  readonly keys?: ReadonlyMap<string, string>;
  /** An extension that is installed before the server starts: a package, or the folder of a built one. */
  readonly install?: { readonly vsix: string } | { readonly folder: string };
}

/** VS Code, served on a free loopback port with user data of its own. */
export interface RunningServer {
  readonly port: number;
  /**
   * The page of a folder. The payload's values are VS Code's own start options, such as
   * extensionDevelopmentPath; `remoteUri` names paths for it.
   */
  pageUrl(folder: string, payload: ReadonlyMap<string, string>): string;
  remoteUri(path: string): string;
  /** What the server printed, for a failure's message. */
  output(): string;
  /** Ends the server and everything that it started, and removes its user data. */
  stop(): Promise<void>;
}

/** The default themes, the languages of files that tests open beside ours, and the viewers of pictures and sounds. */
const FEW_EXTENSIONS: ReadonlySet<string> = new Set([
  'theme-defaults',
  'json',
  'json-language-features',
  'markdown-basics',
  'media-preview',
]);

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;

/** Starts the prepared server. Throws PrepareError with its output where it does not come up within a minute. */
export async function startServer(prepared: PreparedServer, options: ServerOptions): Promise<RunningServer> {
  const data = await mkdtemp(join(tmpdir(), 'parley-vscode-'));
  try {
    await writeSettings(data, options.settings ?? {});
    await installExtension(prepared, data, options.install);
    if (options.keys !== undefined) await writeKeys(data, options.keys);
    if (options.bundled === 'few') await linkFewExtensions(prepared, data);
    return await launch(prepared, data, options);
  } catch (error) {
    await rm(data, { recursive: true, force: true });
    throw error;
  }
}

/** Settings of the machine: the user's own live in the browser's storage, out of reach. */
async function writeSettings(data: string, settings: Readonly<Record<string, unknown>>): Promise<void> {
  const folder = join(data, 'data', 'Machine');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
}

function dataArguments(data: string): readonly string[] {
  return ['--server-data-dir', data, '--extensions-dir', join(data, 'extensions')];
}

async function installExtension(
  prepared: PreparedServer,
  data: string,
  install: ServerOptions['install'],
): Promise<void> {
  if (install === undefined) return;
  if ('folder' in install) {
    const extensions = join(data, 'extensions');
    await mkdir(extensions, { recursive: true });
    // VS Code takes what lies in the folder of extensions when it first starts.
    return symlink(install.folder, join(extensions, 'parley.parley'), 'junction');
  }
  const flags = ['--accept-server-license-terms', '--install-extension', install.vsix];
  return runCommand(prepared.node, [prepared.main, ...dataArguments(data), ...flags]);
}

/** Keys of the user live in the browser's storage, out of reach: an extension brings these. */
async function writeKeys(data: string, keys: ReadonlyMap<string, string>): Promise<void> {
  const folder = join(data, 'extensions', 'parley.keys');
  await mkdir(folder, { recursive: true });
  const keybindings = Array.from(keys, ([key, command]) => ({
    key: key.replace('Control', 'ctrl').toLowerCase(),
    command,
  }));
  const manifest = { name: 'keys', publisher: 'parley', version: '0.0.1', engines: { vscode: '*' } };
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ ...manifest, contributes: { keybindings } }),
  );
}

/** The folder of VS Code's own extensions, where only some of them are wanted. */
function bundledFolder(data: string): string {
  return join(data, 'bundled');
}

async function linkFewExtensions(prepared: PreparedServer, data: string): Promise<void> {
  const all = join(dirname(dirname(prepared.main)), 'extensions');
  await mkdir(bundledFolder(data));
  for (const name of await readdir(all))
    if (FEW_EXTENSIONS.has(name)) await symlink(join(all, name), join(bundledFolder(data), name), 'junction');
}

async function launch(
  prepared: PreparedServer,
  data: string,
  options: ServerOptions,
): Promise<RunningServer> {
  const token = randomBytes(16).toString('hex');
  const child = spawn(prepared.node, serverArguments(prepared, data, token, options), {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that extension hosts end with it.
    detached: true,
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const endGroup = (): void => killGroup(child, 'SIGKILL');
  process.once('exit', endGroup);
  const port = await findPort(child, () => output);
  const authority = `127.0.0.1:${port}`;
  return {
    port,
    remoteUri: path => `vscode-remote://${authority}${path}`,
    pageUrl: (folder, payload) => pageUrl(authority, token, folder, payload),
    output: () => output,
    async stop() {
      await end(child);
      process.off('exit', endGroup);
      await rm(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

function serverArguments(
  prepared: PreparedServer,
  data: string,
  token: string,
  options: ServerOptions,
): readonly string[] {
  return [
    prepared.main,
    ...['--host', '127.0.0.1', '--port', '0', '--connection-token', token],
    ...dataArguments(data),
    ...['--accept-server-license-terms', '--disable-telemetry'],
    ...(options.bundled === 'few' ? ['--builtin-extensions-dir', bundledFolder(data)] : []),
    ...(options.driver === 'tests' ? ['--enable-smoke-test-driver'] : []),
    ...(options.trust === 'off' ? ['--disable-workspace-trust'] : []),
  ];
}

function pageUrl(
  authority: string,
  token: string,
  folder: string,
  payload: ReadonlyMap<string, string>,
): string {
  const query = new URLSearchParams({ tkn: token, folder });
  if (payload.size > 0) query.set('payload', JSON.stringify([...payload]));
  return `http://${authority}/?${query}`;
}

/** The server takes a free port and prints it when it listens. */
function findPort(child: ChildProcess, output: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      killGroup(child, 'SIGKILL');
      reject(new PrepareError(`VS Code's server ${why}:\n${output()}`));
    };
    const timer = setTimeout(() => fail('did not come up within a minute'), START_TIMEOUT_MS);
    child.once('error', error => fail(`could not be started (${error.message})`));
    child.once('close', code => fail(`ended with ${code}`));
    child.stdout?.on('data', () => {
      const port = /Extension host agent listening on (\d+)/.exec(output())?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      child.removeAllListeners('close');
      resolve(Number(port));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return killGroup(child, 'SIGKILL');
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()));
  killGroup(child, 'SIGTERM');
  const timer = setTimeout(() => killGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS);
  await closed;
  clearTimeout(timer);
  killGroup(child, 'SIGKILL');
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Nothing of the group is left, which is what was wanted.
  }
}
