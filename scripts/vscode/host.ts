import type { Counts } from '../test/counts.ts';
import { launchBrowser, openPage, SMALL_WINDOW } from './browser.ts';
import { HostLines } from './host-lines.ts';
import { VSCODE_BUILDS, type BuildName } from './places.ts';
import { prepareForTests } from './prepare.ts';
import { copySamples } from './samples.ts';
import { startServer } from './server.ts';
import { HOST_SETTINGS } from './settings.ts';

export interface HostRun {
  /** The path of a bundle that exports `run()`. */
  readonly tests: string;
  /** The folder of the extension under development: ours, or an empty one if ours is installed. */
  readonly extension: string;
  /** The path of our package, which is installed before the start. */
  readonly vsix?: string;
  readonly print: (line: string) => void;
  readonly vscode: BuildName;
}

/** The time after which a run is considered to hang: an hour, because a busy machine takes half of that. */
const TIMEOUT_MS = 3_600_000;

/**
 * Runs a bundle of tests in the extension host of VS Code's server build, in a window on a copy of samples/.
 * Returns undefined if it ended without counts; the workbench's output is then printed.
 */
export async function runInServer(run: HostRun): Promise<Counts | undefined> {
  const { server: prepared, chromium } = await prepareForTests(run.print, VSCODE_BUILDS[run.vscode]);
  const workspace = await copySamples();
  const server = await startServer(prepared, {
    driver: 'tests',
    trust: 'off',
    bundled: 'few',
    settings: HOST_SETTINGS,
    ...(run.vsix === undefined ? {} : { install: { vsix: run.vsix } }),
  });
  const browser = await launchBrowser(chromium);
  try {
    const page = await openPage(browser, 'dark', SMALL_WINDOW);
    const lines = new HostLines(run.print);
    const ended = Promise.withResolvers<void>();
    // The workbench calls these two functions when it runs tests.
    await page.exposeFunction('codeAutomationLog', (_kind: string, args: unknown) => lines.add(args));
    await page.exposeFunction('codeAutomationExit', () => ended.resolve());
    const payload = new Map([
      ['extensionDevelopmentPath', server.remoteUri(run.extension)],
      ['extensionTestsPath', server.remoteUri(run.tests)],
      ['skipWelcome', 'true'],
      ['skipReleaseNotes', 'true'],
    ]);
    await page.goto(server.pageUrl(workspace.folder, payload), { waitUntil: 'commit', timeout: TIMEOUT_MS });
    await Promise.race([ended.promise, lines.counted, delay(TIMEOUT_MS)]);
    if (lines.counts === undefined)
      run.print(`no counts came; the window said:\n${lines.noise()}\n${server.output()}`);
    return lines.counts;
  } finally {
    await browser.close();
    await server.stop();
    await workspace.remove();
  }
}

function delay(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref());
}
