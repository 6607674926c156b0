import { open } from 'node:fs/promises';
import { printTraceHeader } from '../../trace/file.ts';
import { listCallLines, type CallShape } from './trace-calls.ts';

/** The number of calls that are printed before they are written. */
const AT_ONCE = 500;

/** Writes a trace file of at least `size` bytes; returns the number of its calls. */
export async function writeTraceFile(
  path: string,
  size: number,
  shape: Partial<CallShape> & { readonly first: number },
): Promise<number> {
  const file = await open(path, 'w');
  await file.appendFile(printTraceHeader('bench'));
  let [written, calls] = [0, 0];
  while (written < size) {
    const lines = [...listCallLines(AT_ONCE, { ...shape, first: shape.first + calls })].join('');
    await file.appendFile(lines);
    written += lines.length;
    calls += AT_ONCE;
  }
  await file.close();
  return calls;
}
