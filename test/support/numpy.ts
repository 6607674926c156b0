import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { ROOT } from '../../scripts/root.ts';
import type { NumpyThread } from './numpy-thread.ts';

let thread: NumpyThread | undefined;

function startThread(): NumpyThread {
  const { port1: port, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker(new URL('numpy-thread.ts', import.meta.url), {
    workerData: { port: port2, answered } satisfies NumpyThread,
    transferList: [port2],
  });
  worker.unref();
  port.unref();
  return { port, answered };
}

/** The line that Python answers with; it waits for it. Undefined where there is no NumPy 2 or newer. */
function askThread(asked: string): string | undefined {
  thread ??= startThread();
  const { port, answered } = thread;
  const before = Atomics.load(answered, 0);
  port.postMessage(asked);
  Atomics.wait(answered, 0, before);
  const line: unknown = receiveMessageOnPort(port)?.message;
  return typeof line === 'string' ? line : undefined;
}

/**
 * What a Python program with NumPy as `np` leaves in `answer`, which JSON can write; undefined where there is no NumPy.
 * Throws what Python wrote where the program fails.
 */
export function runNumpy(program: string, input: unknown = null): unknown {
  const line = askThread(JSON.stringify({ program, given: input }));
  if (line === undefined) return undefined;
  const said = JSON.parse(line) as { readonly answer: unknown } | { readonly problem: string };
  if ('problem' in said) throw new Error(`Python failed: ${said.problem}`);
  return said.answer;
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
