import { runInServer } from '../vscode/host.ts';
import { writeWebExtension } from '../vscode/web-extension.ts';
import { reportCounts } from './counts-file.ts';
import { bundleWebTests } from './host-bundle.ts';

/**
 * Runs test/host/editing in VS Code's web worker host, where the extension and its server run without Node.
 * `--rest` runs the files that the gate leaves to the stress tests instead.
 */
async function main(): Promise<void> {
  const extension = await writeWebExtension();
  try {
    const counts = await runInServer({
      tests: await bundleWebTests(extension.folder, process.argv.includes('--rest') ? 'rest' : 'gate'),
      extension: extension.folder,
      print: line => console.log(line),
      vscode: 'newest',
    });
    if (counts === undefined) process.exitCode = 1;
    else reportCounts(counts);
  } finally {
    await extension.remove();
  }
}

await main();
