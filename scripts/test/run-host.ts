import { ROOT } from '../root.ts';
import { DESKTOP_VARIABLE, runInDesktop } from '../vscode/desktop.ts';
import { runInServer, type HostRun } from '../vscode/host.ts';
import { reportCounts } from './counts-file.ts';
import { bundleHostTests } from './host-bundle.ts';

/** Runs test/host in a real VS Code: the desktop build that the environment names, else the server build. */
async function main(): Promise<void> {
  const run: HostRun = { tests: await bundleHostTests(), extension: ROOT, print: line => console.log(line) };
  const desktop = process.env[DESKTOP_VARIABLE] ?? '';
  const counts = desktop === '' ? await runInServer(run) : await runInDesktop(run, desktop);
  if (counts === undefined) process.exitCode = 1;
  else reportCounts(counts);
}

await main();
