import { writeSync } from 'node:fs';
import { EXIT } from './exit.ts';

/** What a command sees of the process: results go to `out`, words for people to `err`. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True where results are read by a person on a terminal that shows colours. */
  readonly colour: boolean;
  /**
   * From now on the first SIGINT or SIGTERM aborts this signal instead of ending the process; a second one ends it.
   * The signal is aborted, too, when nobody reads the results any more.
   */
  catchInterrupts(): AbortSignal;
  readInput(): Promise<Uint8Array>;
  out(text: string): void;
  err(text: string): void;
}

/** The terminal of this process. */
export function openTerminal(): Terminal {
  const closed = new AbortController();
  // A reader that has enough, as `head` has, closes the pipe: that is no fault of anybody, and ends the command in order.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return closed.abort();
    // Results that are not there are no findings: nothing goes on after that.
    writeSync(process.stderr.fd, `parley: the results cannot be written (${error.code ?? error.message})\n`);
    process.exit(EXIT.usage);
  });
  // Where nobody hears the words for people, the command goes on: its results may be read all the same.
  process.stderr.on('error', () => undefined);
  return {
    cwd: process.cwd(),
    env: process.env,
    colour: process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    catchInterrupts: () => AbortSignal.any([closed.signal, catchSignals()]),
    readInput,
    out(text) {
      if (!closed.signal.aborted) process.stdout.write(text);
    },
    err: text => void process.stderr.write(text),
  };
}

function catchSignals(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
  return interrupt.signal;
}

async function readInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  const input: AsyncIterable<Buffer> = process.stdin;
  for await (const chunk of input) chunks.push(chunk);
  return Buffer.concat(chunks);
}
