import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach } from 'mocha';
import { ROOT } from '../../../scripts/root.ts';
import { endWithRun } from './shared-browser.ts';
import { Workbench, type WorkbenchOptions } from './workbench.ts';

const SAMPLES = join(ROOT, 'samples');

/** What a test file may ask of the window that it shares with others. */
export type SharedOptions = Pick<WorkbenchOptions, 'colorScheme' | 'files'>;

let shared: Workbench | undefined;
let isSpoilt = false;

endWithRun(closeShared);
afterEach(function () {
  isSpoilt ||= this.currentTest?.state === 'failed';
});

/**
 * The window that test files use one after the other, because VS Code takes as much work to start as most of them do: with
 * samples/ as it is, beside it the files of the asker, and nothing open. A test that fails does not pass it on.
 */
export async function takeWindow(options: SharedOptions = {}): Promise<Workbench> {
  if (isSpoilt) await closeShared();
  shared = shared && (await tidy(shared, options));
  shared ??= await Workbench.open(options);
  return shared;
}

/** A new window whose folder is not trusted yet. It is the one that test files share once the folder was trusted. */
export async function openUntrustedWindow(): Promise<Workbench> {
  await closeShared();
  shared = await Workbench.open({ trust: 'asked' });
  return shared;
}

async function closeShared(): Promise<void> {
  const window = shared;
  shared = undefined;
  isSpoilt = false;
  await window?.close();
}

/** The window as a new one is; undefined where that cannot be had. */
async function tidy(
  window: Workbench,
  { colorScheme, files }: SharedOptions,
): Promise<Workbench | undefined> {
  try {
    await window.clear();
    await restoreSamples(window.folder);
    for (const [name, content] of Object.entries(files ?? {}))
      await writeFile(join(window.folder, name), content);
    await window.wear(colorScheme ?? 'dark');
    return window;
  } catch (error) {
    console.log(`A window could not be used again: ${String(error)}`);
    await window.close();
    return undefined;
  }
}

/** Only what differs is written: VS Code, and the demo agents, act on what changes. */
async function restoreSamples(folder: string): Promise<void> {
  const wanted = await listFiles(SAMPLES);
  for (const path of await listFiles(folder)) if (!wanted.includes(path)) await rm(join(folder, path));
  for (const path of wanted) {
    const [is, was] = await Promise.all([read(join(folder, path)), readFile(join(SAMPLES, path))]);
    if (is?.equals(was) !== true) await cp(join(SAMPLES, path), join(folder, path));
  }
}

async function listFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** Nothing of a file that is gone. */
function read(path: string): Promise<Buffer | undefined> {
  return readFile(path).catch(() => undefined);
}
