import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

/**
 * Where random tests start: at the committed content. Each version is looked at anew, and keeps its verdict: what passes here
 * passes elsewhere, and what fails fails again. Where there is no repository any number is taken.
 */
export function seedOf(root: string): number {
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout.slice(0, SEED_DIGITS), 16) : randomInt(MOST);
}

/** As many hexadecimal digits as fit into the seeds of fast-check, which have 32 bits and a sign. */
const SEED_DIGITS = 7;

const MOST = 16 ** SEED_DIGITS;
