import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { showCommandLine } from '../stdio/command-line.ts';
import { describeStartError } from '../stdio/failure.ts';
import { MessageSplitter } from './message-splitter.ts';
import type { Recording } from './recorder.ts';
import { StdioCalls } from './stdio-calls.ts';

/** A process whose input and output is recorded, and those of its caller. */
export interface TapOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** How a process ended. */
export type TapEnd =
  | { readonly ok: true; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly ok: false; readonly message: string };

/** A recording of a process that runs. */
export interface StdioTap {
  /** Resolves when the process is gone and all that it wrote has passed. */
  readonly ended: Promise<TapEnd>;
  /** Sends a signal to the process. */
  kill(signal: NodeJS.Signals): void;
}

/**
 * Starts a process in the place of an agent and records what passes: its input, output and error output are those of the
 * caller, byte for byte, with back-pressure. It is started without a shell.
 */
export function startStdioTap(options: TapOptions, recording: Recording): StdioTap {
  const { command, args, cwd, stdin, stdout, stderr } = options;
  const line = showCommandLine(command, args);
  const child = spawn(command, [...args], { cwd, stdio: 'pipe', windowsHide: true });
  const calls = new StdioCalls(recording, { line, cwd, pid: child.pid ?? 0 });
  const [sent, came] = [new MessageSplitter(), new MessageSplitter()];
  stdin.pipe(child.stdin);
  child.stdout.pipe(stdout, { end: false });
  child.stderr.pipe(stderr, { end: false });
  // A process may end without having read everything.
  child.stdin.on('error', () => stdin.unpipe(child.stdin));
  // The caller is gone: the process is told as it would be without us.
  stdout.on('error', () => child.stdout.destroy());
  const onInput = (bytes: Buffer): void =>
    sent.push(bytes.toString('latin1')).forEach(piece => calls.sent(piece));
  stdin.on('data', onInput);
  stdin.on('end', () => sent.end().forEach(piece => calls.sent(piece)));
  child.stdout.on('data', (bytes: Buffer) =>
    came.push(bytes.toString('latin1'), sent.isAicl).forEach(piece => calls.came(piece)),
  );
  child.stdout.on('end', () => came.end().forEach(piece => calls.came(piece)));
  child.stderr.on('data', (bytes: Buffer) => calls.warned(bytes.toString('latin1')));
  return {
    ended: watchEnd(child, options, calls, () => stdin.off('data', onInput)),
    kill: signal => void child.kill(signal),
  };
}

function watchEnd(
  child: ChildProcessWithoutNullStreams,
  { command, args, stdin }: TapOptions,
  calls: StdioCalls,
  forget: () => void,
): Promise<TapEnd> {
  return new Promise(resolve => {
    child.once('error', error => {
      forget();
      const line = showCommandLine(command, args);
      const { code, message } = describeStartError(error, { line, name: command });
      calls.end({ status: 'error', code, message });
      resolve({ ok: false, message });
    });
    child.once('close', (exitCode, signal) => {
      forget();
      stdin.unpipe(child.stdin);
      stdin.pause();
      const how = signal === null ? `with code ${exitCode ?? 0}` : `by ${signal}`;
      calls.end({
        status: 'error',
        code: signal ?? `EXIT ${exitCode ?? 0}`,
        message: `The process ended ${how} before it answered`,
      });
      resolve({ ok: true, exitCode, signal });
    });
  });
}
