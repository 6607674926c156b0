import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../../scripts/root.ts';

const PYTHON = process.platform === 'win32' ? 'python' : 'python3';

/** `given` is the input; what NumPy warns of is what is tested. */
const PRELUDE = `
import hashlib, json, sys, warnings
import numpy as np
warnings.simplefilter('ignore')
given = json.load(sys.stdin)
`;

const FIND = 'import sys, numpy; sys.exit(int(numpy.__version__.split(".")[0]) < 2)';

let found: boolean | undefined;

/** True where python3 with NumPy 2 or newer is there; looked for once. */
function hasNumpy(): boolean {
  found ??= spawnSync(PYTHON, ['-c', FIND]).status === 0;
  return found;
}

/**
 * What a Python program with NumPy as `np` leaves in `answer`, which JSON can write; undefined where there is no NumPy.
 * Throws what Python wrote where the program fails.
 */
export function runNumpy(program: string, input: unknown = null): unknown {
  if (!hasNumpy()) return undefined;
  const run = spawnSync(
    PYTHON,
    ['-c', `${PRELUDE}\n${program}\nprint(json.dumps(answer, allow_nan=False))`],
    {
      input: JSON.stringify(input),
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  );
  if (run.status !== 0) throw new Error(`Python failed: ${run.stderr}`);
  return JSON.parse(run.stdout);
}

/**
 * The same, written down in test/golden/numpy/NAME.json, which counts where there is no NumPy. Where there is one, the
 * two have to agree; UPDATE=1 writes it anew, but never in CI.
 */
export function askNumpy(name: string, program: string, input: unknown = null): unknown {
  const path = join(ROOT, 'test/golden/numpy', `${name}.json`);
  const now = runNumpy(program, input);
  if (now !== undefined && process.env['UPDATE'] === '1' && process.env['CI'] === undefined) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify(now, null, 1)}\n`);
  }
  assert.ok(existsSync(path), `${path} is missing; write it with UPDATE=1`);
  const written: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (now !== undefined) assert.deepEqual(written, now);
  return written;
}
