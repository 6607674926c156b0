import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './root.ts';
import { PrepareError } from './vscode/command.ts';
import { findOnPath } from './vscode/places.ts';
import { prepareServer } from './vscode/prepare.ts';
import { QUIET_SETTINGS } from './vscode/settings.ts';
import { startServer } from './vscode/server.ts';

const SAMPLES = join(ROOT, 'samples');

/** Cleanup functions in the order in which things were started; they run in reverse order. */
type Ending = () => Promise<void> | void;

/**
 * `npm start`: opens samples/ in VS Code with the extension. Uses the desktop
 * build if `code` is on the PATH, else the server build, whose URL is printed.
 * The window starts the demo agents on demand. Ctrl-C ends everything.
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
  if (!(await openDesktop())) await openServer(endings);
  console.log('Ctrl-C ends it.');
}

function waitForSignal(): Promise<void> {
  return new Promise(resolve => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
    process.once('SIGHUP', () => resolve());
  });
}

/** Opens the desktop VS Code; false if it is not installed or fails to start. */
async function openDesktop(): Promise<boolean> {
  const code = findOnPath(process.platform === 'win32' ? ['code.cmd'] : ['code'], process.env);
  if (code === undefined) return false;
  const args = [`--extensionDevelopmentPath=${ROOT}`, '--new-window', '--disable-workspace-trust', SAMPLES];
  const exitCode = await new Promise<number | null>(resolve => {
    const child = spawn(code, args, {
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    child.once('error', () => resolve(1));
    child.once('close', resolve);
  });
  if (exitCode === 0) console.log('VS Code opens on samples/.');
  else console.log(`'code' ended with ${exitCode}: VS Code's server build is used instead.`);
  return exitCode === 0;
}

async function openServer(endings: Ending[]): Promise<void> {
  const prepared = await prepareServer(line => console.log(line));
  const settings = QUIET_SETTINGS;
  const server = await startServer(prepared, {
    driver: 'person',
    trust: 'off',
    settings,
    bundled: 'all',
    install: { folder: ROOT },
  });
  endings.push(() => server.stop());
  const url = server.pageUrl(SAMPLES, new Map([['openFile', server.remoteUri(join(SAMPLES, 'hello.aicf'))]]));
  console.log(`Open this address in a browser: ${url}`);
  openBrowser(url);
}

/** Opens the page in a browser if there is a display. */
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
  // The URL is printed anyway, so a failure of the opener is harmless.
  spawn(opener, [url], { stdio: 'ignore', detached: true })
    .on('error', error => console.log(`'${opener}' could not be started: ${error.message}`))
    .unref();
}

await main().catch((error: unknown) => {
  console.error(error instanceof PrepareError ? error.message : error);
  process.exitCode = 1;
});
// An interrupted preparation may still be running; it has not written its final result.
process.exit();
