import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import type { Counts } from '../test/counts.ts';
import { readCounts } from '../test/counts-file.ts';
import { HOST_COUNTS_VARIABLE } from './host-lines.ts';
import type { HostRun } from './host.ts';
import { VSCODE_BUILDS } from './places.ts';
import { copySamples } from './samples.ts';

/** The variable with the path of a desktop VS Code to run tests in, or `download`. */
export const DESKTOP_VARIABLE = 'PARLEY_VSCODE_DESKTOP';

/**
 * Runs a bundle of tests in a desktop VS Code, in a window on a copy of samples/. Its extension host prints
 * to this terminal. Returns undefined if it ended without counts; throws if VS Code is not available.
 */
export async function runInDesktop(run: HostRun, which: string): Promise<Counts | undefined> {
  const workspace = await copySamples();
  const folder = await mkdtemp(join(tmpdir(), 'parley-desktop-'));
  const path = join(folder, 'counts.json');
  try {
    await runTests({
      ...(which === 'download'
        ? { version: VSCODE_BUILDS[run.vscode].version }
        : { vscodeExecutablePath: which }),
      extensionDevelopmentPath: run.extension,
      extensionTestsPath: run.tests,
      extensionTestsEnv: { [HOST_COUNTS_VARIABLE]: path },
      launchArgs: [
        workspace.folder,
        '--disable-workspace-trust',
        '--disable-extensions',
        ...['--user-data-dir', join(folder, 'user')],
      ],
    }).catch(async (error: unknown) => {
      // VS Code also fails if tests fail; the counts are more precise.
      if ((await readCounts(path)) === undefined) throw error;
    });
    return await readCounts(path);
  } finally {
    await workspace.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
