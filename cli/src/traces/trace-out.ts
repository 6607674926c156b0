import { resolve } from 'node:path';
import { openTraceFile, type TraceFileWriter } from '../../../agents/store/trace-file.ts';
import { PRODUCT } from '../../../core/catalog/product.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { Terminal } from '../terminal.ts';

/** What trace files say wrote them. */
export const PRODUCER = `${PRODUCT.title} ${PRODUCT.version}`;

/**
 * Opens a trace file that takes what is heard. What is missing from it is told on `err` as soon as that shows. Throws a
 * UsageError for one that cannot be written.
 */
export async function openTraceOut(terminal: Terminal, path: string): Promise<TraceFileWriter> {
  const opened = await openTraceFile(resolve(terminal.cwd, path), PRODUCER, {
    tell: message => terminal.err(`parley: ${message}\n`),
  });
  if (!opened.ok) throw new UsageError(opened.message);
  return opened.file;
}

/** What is written to, and says in the end why events are missing from it; undefined where none is. */
interface Closable {
  close(): Promise<string | undefined>;
}

/** What came of work whose trace is closed. */
interface Closed<Result> {
  readonly result: Result;
  /** False where events are missing from the trace. */
  readonly isComplete: boolean;
}

/** Closes what is written to in the end, and says what is missing from it. */
export async function closing<Result>(
  terminal: Terminal,
  written: Closable,
  work: () => Promise<Result>,
): Promise<Closed<Result>> {
  const close = async (): Promise<boolean> => {
    const missing = await written.close();
    if (missing !== undefined) terminal.err(`parley: ${missing}\n`);
    return missing === undefined;
  };
  try {
    const result = await work();
    return { result, isComplete: await close() };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The exit code of work that writes a trace: a trace that misses something is a finding of its own. */
export function codeOf<Code extends number>({ result, isComplete }: Closed<Code>): Code | 1 {
  return isComplete ? result : EXIT.findings;
}
