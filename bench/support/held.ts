import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What the process holds after a collection of what it does not; the collector is not there without a flag. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  return process.memoryUsage().heapUsed;
}

/** A value and the bytes of memory that are held for it. */
export function heldBy<Value>(make: () => Value): { readonly value: Value; readonly bytes: number } {
  const before = heapUsed();
  const value = make();
  return { value, bytes: heapUsed() - before };
}

/** What the process holds now after a collection, in bytes: with what buffers hold. */
export function memoryHeld(): number {
  return heapUsed() + process.memoryUsage().arrayBuffers;
}
