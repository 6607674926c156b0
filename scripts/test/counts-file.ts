import { readFile } from 'node:fs/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { addCounts, formatCounts, isCounts, NOTHING, type Counts } from './counts.ts';

/** The variable that names the file in which the process of a suite returns its counts. */
export const COUNTS_VARIABLE = 'PARLEY_COUNTS';

/** The variable that names the file in which several runs add up their counts; the last line of CI shows the sum. */
export const SUM_VARIABLE = 'PARLEY_COUNTS_SUM';

/** Writes counts to the gate's file, or prints them if the gate is not running; sets the exit code of this process. */
export function reportCounts(counts: Counts): void {
  const path = process.env[COUNTS_VARIABLE];
  if (path === undefined) console.log(formatCounts(counts));
  else writeFileSync(path, JSON.stringify(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

/** The counts in the file of a suite's process; undefined if it ended before it wrote them. */
export async function readCounts(path: string): Promise<Counts | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '' /* Nothing was counted; the caller reports it. */);
  return parseCounts(text);
}

/** Adds counts to the file of earlier runs; returns the sum. */
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
