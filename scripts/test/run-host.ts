import { readPackage } from '../package.ts';
import { ROOT } from '../root.ts';
import { DESKTOP_VARIABLE, runInDesktop } from '../vscode/desktop.ts';
import { runInServer } from '../vscode/host.ts';
import { buildOf, type BuildName } from '../vscode/places.ts';
import { writeProbe } from '../vscode/probe.ts';
import { reportCounts } from './counts-file.ts';
import type { Counts } from './counts.ts';
import { bundleHostTests } from './host-bundle.ts';

/**
 * Runs test/host in a real VS Code: in the desktop build that the environment variable names, else in the server build
 * with the package installed, as for a user. `--vscode oldest` uses the oldest version that the package supports.
 */
async function main(): Promise<void> {
  const tests = await bundleHostTests();
  const print = (line: string): void => console.log(line);
  const desktop = process.env[DESKTOP_VARIABLE] ?? '';
  const vscode = buildOf(process.argv);
  const counts =
    desktop === ''
      ? await runInstalled(tests, print, vscode)
      : await runInDesktop({ tests, extension: ROOT, print, vscode }, desktop);
  if (counts === undefined) process.exitCode = 1;
  else reportCounts(counts);
}

async function runInstalled(
  tests: string,
  print: (line: string) => void,
  vscode: BuildName,
): Promise<Counts | undefined> {
  const { path: vsix } = await readPackage();
  const probe = await writeProbe();
  try {
    return await runInServer({ tests, extension: probe.folder, vsix, print, vscode });
  } finally {
    await probe.remove();
  }
}

await main();
