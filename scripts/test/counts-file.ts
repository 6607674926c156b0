import { readFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { formatCounts, isCounts, type Counts } from './counts.ts';

/** Names the file that tells the gate what a suite's process found. */
export const COUNTS_VARIABLE = 'PARLEY_COUNTS';

/** Hands counts to the gate, or prints them where no gate waits; sets this process's exit code. */
export function reportCounts(counts: Counts): void {
  const path = process.env[COUNTS_VARIABLE];
  if (path === undefined) console.log(formatCounts(counts));
  else writeFileSync(path, JSON.stringify(counts));
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

/** What a suite's process left in the file, or undefined where it ended before. */
export async function readCounts(path: string): Promise<Counts | undefined> {
  const text = await readFile(path, 'utf8').catch(
    () => undefined /* Nothing was counted; the caller says so. */,
  );
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return isCounts(value) ? value : undefined;
}
