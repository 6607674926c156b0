import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import type { Recording } from '../../agents/proxy/recorder.ts';
import { startStdioTap, type TapEnd } from '../../agents/proxy/stdio-tap.ts';
import type { EventSink } from '../../agents/store/event-sink.ts';
import { EXIT, UsageError } from './exit.ts';
import { openOutput } from './terminal.ts';

/** How a process ended that was started. */
type ProcessEnd = Extract<TapEnd, { readonly ok: true }>;

/** Signals that go on to the process. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

/** Starts a process in the place of this one, whose input and outputs it has: nothing of ours stands there. */
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
  // A terminal signals all processes of the command in front; ours is in a group of its own.
  const to = stdin.isTTY ? 'group' : 'process';
  for (const signal of PASSED_ON) process.on(signal, () => tap.kill(signal, to));
  const end = await tap.ended;
  if (!end.ok) throw new UsageError(end.message);
  // A process that was killed takes us along: what it wrote is out by then.
  await Promise.all([toOutput?.passed(), toErrors?.passed()]);
  return end;
}

/** Ends this process as another one ended: by the same signal, or else with its code. */
export function endAs({ exitCode, signal }: ProcessEnd): number {
  if (signal === null) return exitCode ?? EXIT.fine;
  process.removeAllListeners(signal);
  // Windows has no signals, and Node.js ignores some of them.
  if (process.platform !== 'win32') process.kill(process.pid, signal);
  return 128 + constants.signals[signal];
}

/** Whoever writes to us hears that nobody reads on, also while the process runs. Node.js leaves its own input open. */
function closeInput(): void {
  if (process.platform !== 'win32' && !process.stdin.isTTY) closeSync(0);
}

/** An output of ours. Node.js does not say afterwards that writing to it failed, and leaves it open when it has ended. */
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

  /** Whoever reads it hears that nothing more comes, also while the process runs. */
  close(file: number): void {
    if (process.platform === 'win32' || this.#stream.isTTY || this.#hasFailed) return;
    this.#ended = new Promise(resolve => {
      this.#stream.end(() => {
        closeSync(file);
        resolve();
      });
    });
  }

  /** Resolves once all that was written is out, or nobody takes it. */
  passed(): Promise<void> {
    const written = (): Promise<void> => new Promise(resolve => this.#stream.write('', () => resolve()));
    return this.#hasFailed ? this.#failed : Promise.race([this.#failed, this.#ended ?? written()]);
  }
}
