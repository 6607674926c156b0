import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Counts } from './counts.ts';
import { COUNTS_VARIABLE, readCounts } from './counts-file.ts';

/** A Node program's exit code; its output goes to ours as it comes. */
export function runNode(root: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH: toolPath(root), ...env },
    });
    child.once('error', () => resolve(1));
    child.once('close', code => resolve(code ?? 1));
  });
}

/** Tools of the project come first, so that `node` is the project's own. */
function toolPath(root: string): string {
  return [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
}

/** Runs a program that writes its counts; one that ends without them counts as one failure. */
export async function runCounted(
  root: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-counts-'));
  const path = join(folder, 'counts.json');
  try {
    const code = await runNode(root, args, { ...env, [COUNTS_VARIABLE]: path });
    const counts = await readCounts(path);
    if (counts === undefined)
      console.log(`✗ ${args.join(' ')} ended with ${code} before it had counted its tests`);
    return counts ?? { passed: 0, failed: 1 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
