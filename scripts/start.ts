import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { PrepareError } from './vscode/command.ts';
import { findOnPath } from './vscode/places.ts';
import { prepareServer } from './vscode/prepare.ts';
import { QUIET_SETTINGS } from './vscode/settings.ts';
import { startServer } from './vscode/server.ts';

const SAMPLES = join(ROOT, 'samples');

/** Things that end with us, in the order in which they were started. */
type Ending = () => Promise<void> | void;

/**
 * `npm start`: demo agents, then VS Code on samples/ with the extension: the desktop build where `code` is on the
 * PATH, else the server build, whose address is printed. Ctrl-C ends everything.
 */
async function main(): Promise<void> {
  const endings: Ending[] = [];
  const stopped = waitForSignal();
  try {
    await Promise.race([open(endings), stopped]);
    await stopped;
  } finally {
    for (const end of endings.reverse()) await end();
  }
}

async function open(endings: Ending[]): Promise<void> {
  const env = { PARLEY_DEMO: await startDemoAgents(endings) };
  if (!(await openDesktop(env))) await openServer(env, endings);
  console.log('Ctrl-C ends it.');
}

function waitForSignal(): Promise<void> {
  return new Promise(resolve => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    process.once('SIGHUP', () => resolve());
  });
}

/** Starts `parley demo`; returns its first line: the agents' addresses as JSON. */
async function startDemoAgents(endings: Ending[]): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/cli.js'), 'demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C at the terminal reaches the group; a group of its own is ended by us, once.
    detached: true,
  });
  endings.push(() => endChild(child));
  const lines = createInterface({ input: child.stdout });
  const line = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('error', reject);
    child.once('close', code =>
      reject(new PrepareError(`The demo agents ended with ${code} before they were ready`)),
    );
  });
  console.log(`Demo agents: ${line}`);
  return line;
}

function endChild(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
}

/** Opens the desktop VS Code; false where there is none or it does not start. */
async function openDesktop(env: Readonly<Record<string, string>>): Promise<boolean> {
  const code = findOnPath(process.platform === 'win32' ? ['code.cmd'] : ['code'], process.env);
  if (code === undefined) return false;
  const args = [`--extensionDevelopmentPath=${ROOT}`, '--new-window', '--disable-workspace-trust', SAMPLES];
  const exitCode = await new Promise<number | null>(resolve => {
    const child = spawn(code, args, {
      stdio: 'inherit',
      env: { ...process.env, ...env },
      shell: process.platform === 'win32',
    });
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
  if (exitCode === 0) console.log('VS Code opens on samples/.');
  else console.log(`'code' ended with ${exitCode}: VS Code's server build is used instead.`);
  return exitCode === 0;
}

async function openServer(env: Readonly<Record<string, string>>, endings: Ending[]): Promise<void> {
  const prepared = await prepareServer(line => console.log(line));
  const settings = QUIET_SETTINGS;
  const server = await startServer(prepared, {
    driver: 'person',
    trust: 'off',
    env,
    settings,
    install: { folder: ROOT },
  });
  endings.push(() => server.stop());
  const url = server.pageUrl(SAMPLES, new Map([['openFile', server.remoteUri(join(SAMPLES, 'hello.aicf'))]]));
  console.log(`Open this address in a browser: ${url}`);
  openBrowser(url);
}

/** Shows the page where somebody sits at a screen. */
function openBrowser(url: string): void {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  const isLinuxWithScreen = DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined;
  const opener =
    process.platform === 'darwin'
      ? 'open'
      : isLinuxWithScreen
        ? findOnPath(['xdg-open'], process.env)
        : undefined;
  if (opener === undefined) return;
  // The address is printed all the same, so nothing is lost where the opener fails.
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', error => console.log(`'${opener}' could not be started: ${error.message}`))
    .unref();
}

await main().catch((error: unknown) => {
  console.error(error instanceof PrepareError ? error.message : error);
  process.exitCode = 1;
});
// A preparation that Ctrl-C cut short may still run; it has written nothing that counts.
process.exit();
