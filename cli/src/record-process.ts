import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import type { Recording } from '../../agents/proxy/recording/recorder.ts';
import { startStdioTap, type TapEnd } from '../../agents/proxy/stdio/stdio-tap.ts';
import type { EventSink } from '../../agents/store/trace-file.ts';
import { EXIT, UsageError } from './exit.ts';
import { openOutput } from './terminal.ts';

/** The exit code and signal of a process that was started. */
type ProcessEnd = Extract<TapEnd, { readonly ok: true }>;

/** Signals that are forwarded to the process. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

/**
 * Runs a process with the standard input and outputs of this one and records them. Apart from notices on
 * standard error, the outputs contain only what the process writes.
 */
export async function recordProcess(
  cwd: string,
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  recording: Recording,
  sink: EventSink,
): Promise<ProcessEnd> {
  const { stdin, stdout, stderr } = process;
  const [toOutput, toErrors] = [stdout, stderr].map(output => new Output(output));
  const tap = startStdioTap(
    {
      command,
      args,
      cwd,
      stdin,
      stdout: openOutput(stdout),
      stderr: openOutput(stderr),
      onClosed: what => (what === 'input' ? closeInput() : toOutput?.close(1)),
      onLeft: message => stderr.write(`parley: ${message}\n`),
    },
    recording,
    sink,
  );
  // A terminal sends signals to the whole foreground process group; the child is in a group of its own.
  const to = stdin.isTTY ? 'group' : 'process';
  for (const signal of PASSED_ON) process.on(signal, () => tap.kill(signal, to));
  const end = await tap.ended;
  if (!end.ok) throw new UsageError(end.message);
  // If the process was killed, this process ends by the same signal, so its output must be flushed first.
  await Promise.all([toOutput?.passed(), toErrors?.passed()]);
  return end;
}

/** Ends this process in the same way as another one: by the same signal, or with its exit code. */
export function endAs({ exitCode, signal }: ProcessEnd): number {
  if (signal === null) return exitCode ?? EXIT.fine;
  process.removeAllListeners(signal);
  // Windows has no signals, and Node.js ignores some of them.
  if (process.platform !== 'win32') process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}

/**
 * Closes standard input, so that the writer gets an error while the process still runs. Node.js does not
 * close it itself.
 */
function closeInput(): void {
  if (process.platform !== 'win32' && !process.stdin.isTTY) closeSync(0);
}

/**
 * A standard output of this process. It remembers that a write failed and can close the descriptor; Node.js
 * does neither.
 */
class Output {
  readonly #stream: NodeJS.WriteStream;
  readonly #failed: Promise<void>;
  #hasFailed = false;
  #ended: Promise<void> | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
    this.#failed = new Promise(resolve => {
      stream.once('error', () => {
        this.#hasFailed = true;
        resolve();
      });
    });
  }

  /** Closes the descriptor, so that the reader sees the end of the output while the process still runs. */
  close(file: number): void {
    if (process.platform === 'win32' || this.#stream.isTTY || this.#hasFailed) return;
    this.#ended = new Promise(resolve => {
      this.#stream.end(() => {
        closeSync(file);
        resolve();
      });
    });
  }

  /** Resolves once everything is written, or once writing has failed because the reader is gone. */
  passed(): Promise<void> {
    const written = (): Promise<void> => new Promise(resolve => this.#stream.write('', () => resolve()));
    return this.#hasFailed ? this.#failed : Promise.race([this.#failed, this.#ended ?? written()]);
  }
}
