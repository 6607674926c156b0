import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The size of the heap in bytes after garbage collection, which requires a flag. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}

/** Makes a value and returns it with the number of heap bytes that it retains. */
export function heldBy<Value>(make: () => Value): { readonly value: Value; readonly bytes: number } {
  const before = heapUsed();
  const value = make();
  return { value, bytes: heapUsed() - before };
}

/** The memory in bytes after garbage collection, including array buffers. */
export function memoryHeld(): number {
  return heapUsed() + process.memoryUsage().arrayBuffers;
}
