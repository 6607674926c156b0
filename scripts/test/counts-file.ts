import { readFile } from 'node:fs/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { addCounts, formatCounts, isCounts, NOTHING, type Counts } from './counts.ts';

/** Names the file in which a suite's process hands its counts to the gate. */
export const COUNTS_VARIABLE = 'PARLEY_COUNTS';

/** Names the file in which runs of the gate add up their counts: CI's last line sums all of them. */
export const SUM_VARIABLE = 'PARLEY_COUNTS_SUM';

/** Hands counts to the gate, or prints them where no gate waits; sets this process's exit code. */
export function reportCounts(counts: Counts): void {
  const path = process.env[COUNTS_VARIABLE];
  if (path === undefined) console.log(formatCounts(counts));
  else writeFileSync(path, JSON.stringify(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

/** What a suite's process left in the file, or undefined where it ended before. */
export async function readCounts(path: string): Promise<Counts | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '' /* Nothing was counted; the caller reports it. */);
  return parseCounts(text);
}

/** Adds counts to those of earlier runs in a file; returns the sum. */
export function addToSum(path: string, counts: Counts): Counts {
  let earlier = '';
  try {
    earlier = readFileSync(path, 'utf8');
  } catch {
    // This is the first run.
  }
  const sum = addCounts(parseCounts(earlier) ?? NOTHING, counts);
  writeFileSync(path, JSON.stringify(sum));
  return sum;
}

function parseCounts(text: string): Counts | undefined {
  if (text === '') return undefined;
  const value: unknown = JSON.parse(text);
  return isCounts(value) ? value : undefined;
}
