import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { addAbortSignal, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Severity } from '../../core/text/issue.ts';
import { showControls } from '../../core/text/quote.ts';
import { EXIT } from './exit.ts';

/** A command's view of the process: results go to `out`, messages for people to `err`. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True if `out` is a terminal, not a file or a pipe. */
  readonly isScreen: boolean;
  /** True if that terminal shows colours. */
  readonly colour: boolean;
  /**
   * From now on the first SIGINT or SIGTERM aborts this signal instead of ending the process; a second one
   * ends it. The signal is also aborted once the reader of the results has gone.
   */
  catchInterrupts(): AbortSignal;
  /** The standard input, as it arrives. Reading it fails when the signal is aborted. */
  input(signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Writes results, coloured by severity if one is given and the terminal shows colours. */
  out(text: string, severity?: Severity): void;
  /**
   * Waits until the results so far are consumed. Call it between many results, so that they do not pile up in
   * memory.
   */
  settle(): Promise<void>;
  err(text: string): void;
}

const COLOURS: Readonly<Record<Severity, string>> = {
  error: '\u001b[31m',
  warning: '\u001b[33m',
  information: '\u001b[34m',
  hint: '\u001b[2m',
};
const PLAIN = '\u001b[0m';

/** A terminal that may hold back the end of its results until they are flushed. */
export interface SafeTerminal extends Terminal {
  /** Writes the part of the results that was held back. */
  flush(): void;
}

/**
 * A terminal that shows control characters and bidirectional marks of files and agents instead of executing
 * them: always in messages, and in results if `out` is a screen. Results to a file or a pipe are unchanged.
 */
export function safeTerminal(host: Terminal): SafeTerminal {
  // The end of the last result if the next one can change its meaning: half of a surrogate pair, or a carriage return.
  let held = '';
  return {
    ...host,
    out(text, severity) {
      if (!host.isScreen) return host.out(text);
      const all = held + text;
      const end = /[\r\ud800-\udbff]$/.test(all) ? all.length - 1 : all.length;
      held = all.slice(end);
      const shown = showControls(all.slice(0, end));
      host.out(severity && host.colour ? `${COLOURS[severity]}${shown}${PLAIN}` : shown);
    },
    err: text => host.err(showControls(text)),
    flush() {
      if (held !== '') host.out(showControls(held));
      held = '';
    },
  };
}

/**
 * An output of this process for bytes that are passed on. On a terminal, control characters are shown instead
 * of executed.
 */
export function openOutput(output: NodeJS.WriteStream): Writable {
  return output.isTTY ? new ScreenOutput(output) : output;
}

/** Writes bytes to a terminal, with control characters and bidirectional marks made visible. */
class ScreenOutput extends Writable {
  readonly #output: Writable;
  readonly #decoder = new StringDecoder();
  /** A carriage return that may be half of a line break. */
  #held = '';

  constructor(output: Writable) {
    super();
    this.#output = output;
    output.on('error', error => this.destroy(error));
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const all = this.#held + this.#decoder.write(bytes);
    this.#held = all.endsWith('\r') ? '\r' : '';
    const hasCapacity = this.#output.write(showControls(this.#held === '' ? all : all.slice(0, -1)));
    if (hasCapacity) done();
    else this.#output.once('drain', done);
  }
}

/** The terminal of this process. */
export function openTerminal(): Terminal {
  const closed = new AbortController();
  // A reader such as `head` closes the pipe when it has enough. This is no error; the command ends in order.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return closed.abort();
    // Results that cannot be written must not look like an empty result, so the command ends here.
    writeSync(process.stderr.fd, `parley: the results cannot be written (${error.code ?? error.message})\n`);
    process.exit(EXIT.usage);
  });
  // If messages cannot be written, the command continues, because its results may still be read.
  process.stderr.on('error', () => undefined);
  return {
    cwd: process.cwd(),
    env: process.env,
    isScreen: process.stdout.isTTY,
    colour: process.stdout.isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    catchInterrupts: () => AbortSignal.any([closed.signal, catchSignals()]),
    input: signal => (signal ? addAbortSignal(signal, process.stdin) : process.stdin),
    out(text) {
      if (!closed.signal.aborted) process.stdout.write(text);
    },
    settle: () => settle(closed.signal),
    err: text => void process.stderr.write(text),
  };
}

/** Waits until standard output has drained, or its reader has gone. */
async function settle(closed: AbortSignal): Promise<void> {
  if (!process.stdout.writableNeedDrain || closed.aborted) return;
  await once(process.stdout, 'drain', { signal: closed }).catch(() => undefined);
}

function catchSignals(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
  return interrupt.signal;
}

/** The whole standard input. */
export async function readInput(terminal: Pick<Terminal, 'input'>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of terminal.input()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
