import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { workerData, type MessagePort } from 'node:worker_threads';

/**
 * The thread that keeps one Python with NumPy for all programs of a test process: to start one takes longer than most
 * programs. It gets a program at a time and answers with the line that Python wrote, or with undefined where there is
 * no NumPy 2 or newer; then it wakes the thread that waits.
 */

/** What the thread and who asks it share: a port for each, and the number of answers that it gave. */
export interface NumpyThread {
  readonly port: MessagePort;
  readonly answered: Int32Array;
}

const PYTHON = process.platform === 'win32' ? 'python' : 'python3';

/** `given` is the input; what NumPy warns of is what is tested. Each program has names of its own. */
const LOOP = `
import hashlib, json, sys, traceback, warnings
import numpy as np
if int(np.__version__.split('.')[0]) < 2: sys.exit(1)
warnings.simplefilter('ignore')
print('ready', flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    names = {'np': np, 'hashlib': hashlib, 'json': json, 'given': asked['given']}
    try:
        exec(asked['program'], names)
        said = json.dumps({'answer': names['answer']}, allow_nan=False)
    except Exception:
        said = json.dumps({'problem': traceback.format_exc()})
    print(said, flush=True)
`;

const { port, answered } = workerData as NumpyThread;
const python = spawn(PYTHON, ['-c', LOOP], { stdio: ['pipe', 'pipe', 'ignore'] });
let isReady = false;
let isGone = false;
let isAsked = false;

function answer(line: string | undefined): void {
  port.postMessage(line);
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}

/** NumPy is not there, or a program ended Python: that is reported to waiting and later callers. */
function leave(): void {
  isGone = true;
  if (isAsked) reportEnd();
  isAsked = false;
}

function reportEnd(): void {
  answer(isReady ? JSON.stringify({ problem: 'it ended without an answer' }) : undefined);
}

python.on('error', leave);
python.on('close', leave);
python.stdin.on('error', () => {});
createInterface({ input: python.stdout }).on('line', line => {
  if (isReady) {
    isAsked = false;
    answer(line);
  }
  isReady = true;
});
port.on('message', (asked: string) => {
  if (isGone) return reportEnd();
  isAsked = true;
  python.stdin.write(`${asked}\n`);
});
