import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';

/** Written by a process as it ends: the most memory that it had, in KiB. */
const REPORT =
  "process.on('exit', () => require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)))";
const PRELOAD = `data:text/javascript,${encodeURIComponent(
  `import { createRequire } from 'node:module'; const require = createRequire(process.execPath); ${REPORT}`,
)}`;

/** No run of these tests needs more: what takes longer is ended and fails. */
const LONGEST_MS = 300_000;

/** How a run of a program ended, and its peak of resident memory. */
export interface MeasuredRun {
  /** Null where a signal ended it, as on a crash. */
  readonly exitCode: number | null;
  readonly peakBytes: number;
  readonly err: string;
}

/** Runs a program of Node in a process of its own and measures its memory; its output is read and not stored. */
export async function runMeasured(program: string, words: readonly string[]): Promise<MeasuredRun> {
  const child = spawn(process.execPath, ['--no-warnings', '--import', PRELOAD, program, ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
  });
  const [, output, errors, memory] = child.stdio as readonly (Readable | null)[];
  if (!output || !errors || !memory) throw new Error('runMeasured: a pipe of the process is missing');
  output.resume();
  const [err, peak, [exitCode]] = await Promise.all([
    text(errors),
    text(memory),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { exitCode, peakBytes: Number(peak || 'NaN') * 1024, err: err.slice(0, 1_000) };
}

const MIB = 2 ** 20;

/** The most memory that a command may take for an input, where its help takes this much. */
export function memoryLimit(helpBytes: number, inputBytes: number): number {
  return helpBytes + 64 * MIB + 40 * inputBytes;
}

/** What a run has to be: ended by itself without an internal error, below its limit. Undefined if so, else what is wrong. */
export function findExcess(run: MeasuredRun, limit: number): string | undefined {
  if (run.exitCode !== 0 && run.exitCode !== 1) return `ended with ${run.exitCode}: ${run.err}`;
  if (run.peakBytes <= limit) return undefined;
  return `took ${Math.round(run.peakBytes / MIB)} MiB, more than ${Math.round(limit / MIB)} MiB`;
}
