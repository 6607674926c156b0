import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { CLI } from './built-cli.ts';
import { HOSTILE_INPUTS } from './hostile-inputs.ts';

/** Written by a process as it ends: the most memory that it had, in KiB. */
const REPORT =
  "process.on('exit', () => require('node:fs').writeSync(3, String(process.resourceUsage().maxRSS)))";
const PRELOAD = `data:text/javascript,${encodeURIComponent(
  `import { createRequire } from 'node:module'; const require = createRequire(process.execPath); ${REPORT}`,
)}`;

/** No run of these tests needs more: what takes longer is ended and fails. */
const LONGEST_MS = 300_000;

/** How a run of a program ended, and its peak of resident memory. */
interface MeasuredRun {
  /** Null where a signal ended it, as on a crash. */
  readonly exitCode: number | null;
  readonly peakBytes: number;
  readonly err: string;
}

/** Runs a program of Node in a process of its own and measures its memory; its output is read and not stored. */
async function runMeasured(program: string, words: readonly string[]): Promise<MeasuredRun> {
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

/** What a command may take besides its code and what is in proportion to its input. */
const FIXED = 80 * MIB;

/** Runs of the same command differ by 60 MiB, by when garbage is collected: one above the limit is repeated so often. */
const RUNS = 4;

/** A short input: for it a command has loaded its code and little else. */
const SHORT = 100;

/**
 * Runs a command on a hostile input of this length, written into a folder. Returns what is wrong if it ends with an
 * internal error, or takes much more memory than for a short input; undefined if it does not.
 */
export async function findExcess(
  folder: string,
  [input, ...words]: readonly [input: string, ...words: readonly string[]],
  length: number,
): Promise<string | undefined> {
  const make = HOSTILE_INPUTS[input];
  if (!make) throw new Error(`findExcess: no input is named ${input}`);
  const file = join(folder, input);
  const run = async (text: string): Promise<MeasuredRun> => {
    await writeFile(file, text);
    return runMeasured(CLI, [...words, file]);
  };
  const { peakBytes: least } = await run(make(SHORT));
  const text = make(length);
  const limit = least + FIXED + 40 * text.length;
  let lowest = Infinity;
  for (let count = 0; count < RUNS && lowest > limit; count++) {
    const { exitCode, peakBytes, err } = await run(text);
    if (exitCode !== 0 && exitCode !== 1) return `ended with ${exitCode}: ${err}`;
    if (!(peakBytes > 0)) return 'did not report its memory';
    lowest = Math.min(lowest, peakBytes);
  }
  return lowest <= limit
    ? undefined
    : `took ${Math.round(lowest / MIB)} MiB, more than ${Math.round(limit / MIB)} MiB`;
}
