import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ONE_FAILURE, type Counts } from './counts.ts';
import { COUNTS_VARIABLE, readCounts } from './counts-file.ts';
import type { Print } from './turns.ts';

/** The environment of a child process. */
export interface Running {
  readonly root: string;
  /** Environment variables in addition to those of this process. */
  readonly env: NodeJS.ProcessEnv;
  /** Receives the output of the process as it arrives. */
  readonly print: Print;
}

/** Runs a Node program; resolves to its exit code. */
export function runNode({ root, env, print }: Running, args: readonly string[]): Promise<number> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: toolPath(root), NODE_COMPILE_CACHE: compileCache(root), ...env },
    });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', print);
    child.once('error', () => resolve(1));
    child.once('close', code => resolve(code ?? 1));
    // A process that a test left running may hold the pipes open, so `close` is not awaited forever.
    child.once('exit', code => setTimeout(() => resolve(code ?? 1), LINGER_MS).unref());
  });
}

/** Longer than the remaining output of a program takes to arrive. */
const LINGER_MS = 2_000;

/**
 * The folder of Node's compile cache with type-stripped sources,
 * which saves most of the time of tests that start programs.
 */
function compileCache(root: string): string {
  return join(root, '.build/compile-cache');
}

/** A PATH with the project's tools first, so that `node` is the project's own. */
function toolPath(root: string): string {
  return [join(root, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(delimiter);
}

/** Runs a program that writes its counts to a file; ending without counts is one failure. */
export async function runCounted(running: Running, args: readonly string[]): Promise<Counts> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-counts-'));
  const path = join(folder, 'counts.json');
  try {
    const code = await runNode({ ...running, env: { ...running.env, [COUNTS_VARIABLE]: path } }, args);
    const counts = await readCounts(path);
    if (counts === undefined)
      running.print(`✗ ${args.join(' ')} ended with ${code} before it had counted its tests\n`);
    return counts ?? ONE_FAILURE;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
