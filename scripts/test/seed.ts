import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

/**
 * The seed of random tests, derived from the committed content: each version is tested with new values, but
 * repeated runs of one version have the same result. Outside of a repository it is random.
 */
export function seedOf(root: string): number {
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout.slice(0, SEED_DIGITS), 16) : randomInt(MAX);
}

/** The number of hexadecimal digits that fit in the seeds of fast-check, which are signed 32-bit integers. */
const SEED_DIGITS = 7;

const MAX = 16 ** SEED_DIGITS;
