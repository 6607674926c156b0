import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PrepareError, runCommand } from './command.ts';
import type { PreparedServer } from './places.ts';

export interface ServerOptions {
  /** `off` trusts every folder; `asked` is the default for users: a new folder opens in restricted mode. */
  readonly trust: 'off' | 'asked';
  /**
   * Who drives the window. `tests` enables the smoke test driver, without which a built VS Code ignores
   * extensionDevelopmentPath and extensionTestsPath in the page's URL; with it, VS Code shows no notifications.
   */
  readonly driver: 'tests' | 'person';
  /** Machine settings, as in settings.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The set of VS Code's own extensions; `few` are those that tests use, for a faster start. */
  readonly bundled: 'all' | 'few';
  /** VS Code commands by keyboard shortcut, such as `Control+Alt+F5`. */
  readonly keys?: ReadonlyMap<string, string>;
  /** An extension to install before the server starts: a package, or the folder of a built extension. */
  readonly install?: { readonly vsix: string } | { readonly folder: string };
}

/** VS Code, served on a free loopback port with its own user data. */
export interface RunningServer {
  readonly port: number;
  /**
   * The URL that opens a folder. The payload contains VS Code's start options, such as
   * extensionDevelopmentPath, with paths in the form of `remoteUri`.
   */
  pageUrl(folder: string, payload: ReadonlyMap<string, string>): string;
  remoteUri(path: string): string;
  /** The server's output, for error messages. */
  output(): string;
  /** Ends the server and all of its child processes, and removes its user data. */
  stop(): Promise<void>;
}

/** The default themes, other languages that tests open, and the viewers of images and sounds. */
const FEW_EXTENSIONS: ReadonlySet<string> = new Set([
  'theme-defaults',
  'json',
  'json-language-features',
  'markdown-basics',
  'media-preview',
]);

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;

/** Starts the prepared server. Throws `PrepareError` with its output if it does not start within a minute. */
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

/** Writes machine settings, because user settings are in the browser's storage. */
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
    // When it first starts, VS Code loads the contents of the extensions folder.
    return symlink(install.folder, join(extensions, 'parley.parley'), 'junction');
  }
  const flags = ['--accept-server-license-terms', '--install-extension', install.vsix];
  return runCommand(prepared.node, [prepared.main, ...dataArguments(data), ...flags]);
}

/** Adds keyboard shortcuts with an extension, because user shortcuts are in the browser's storage. */
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

/** The folder with links to selected extensions of VS Code. */
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
    // A separate process group, so that extension hosts end with the server.
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

/** Waits until the server prints the free port that it listens on. */
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
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
    killGroup(child, 'SIGTERM');
    const timer = setTimeout(() => killGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS);
    await exited;
    clearTimeout(timer);
  }
  killGroup(child, 'SIGKILL');
  // A process that left the group may still hold the other ends.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has already ended.
  }
}
