import { resolve } from 'node:path';
import { openTraceFile, type TraceFileWriter } from '../../../agents/store/trace-file.ts';
import { PRODUCT } from '../../../core/catalog/product.ts';
import { EXIT, UsageError } from '../exit.ts';
import type { Terminal } from '../terminal.ts';

/** The producer that trace files name. */
export const PRODUCER = `${PRODUCT.title} ${PRODUCT.version}`;

/**
 * Opens a trace file for writing events. Missing events are reported on `err` as soon as they are known.
 * Throws a UsageError if the file cannot be written.
 */
export async function openTraceOut(terminal: Terminal, path: string): Promise<TraceFileWriter> {
  const opened = await openTraceFile(resolve(terminal.cwd, path), PRODUCER, {
    notify: message => terminal.err(`parley: ${message}\n`),
  });
  if (!opened.ok) throw new UsageError(opened.message);
  return opened.file;
}

/** A trace output. `close` returns why events are missing, or undefined if none are. */
interface Closable {
  close(): Promise<string | undefined>;
}

/** The result of work whose trace output is closed. */
interface Closed<Result> {
  readonly result: Result;
  /** False if events are missing from the trace. */
  readonly isComplete: boolean;
}

/** Runs the work, then closes the trace output and reports missing events on `err`. */
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

/** The exit code of work that writes a trace. An incomplete trace counts as a finding. */
export function codeOf<Code extends number>({ result, isComplete }: Closed<Code>): Code | 1 {
  return isComplete ? result : EXIT.findings;
}
