import { spawnSync } from 'node:child_process';

const PYTHON = process.platform === 'win32' ? 'python' : 'python3';

/**
 * The Python program. `given` is the input; the inserted code sets
 * `work`. Times are measured in Python, so its startup does not count.
 */
const FRAME = `
import base64, hashlib, json, sys, time
given = sys.stdin.buffer.read()
%PROGRAM%
times = []
for run in range(%RUNS% + 1):
    start = time.perf_counter()
    answer = work()
    times.append((time.perf_counter() - start) * 1000)
print(json.dumps({'times': times[1:], 'digest': hashlib.sha256(answer).hexdigest()}))
`;

export interface PythonRun {
  /** The milliseconds of each run, without the warm-up run. */
  readonly times: readonly number[];
  /** The SHA-256 of the bytes that `work` returns, in hexadecimal. */
  readonly digest: string;
}

/**
 * Measures the Python function `work`, which a program must define and which returns bytes. Undefined if
 * Python is not installed; throws the output of Python if the program fails.
 */
export function timePython(program: string, given: Uint8Array | string, runs: number): PythonRun | undefined {
  const source = FRAME.replace('%PROGRAM%', program).replace('%RUNS%', String(runs));
  const run = spawnSync(PYTHON, ['-c', source], { input: given, encoding: 'utf8' });
  if (run.error && 'code' in run.error && run.error.code === 'ENOENT') return undefined;
  if (run.status !== 0) throw new Error(`${PYTHON} failed: ${run.error?.message ?? run.stderr}`);
  return JSON.parse(run.stdout) as PythonRun;
}
