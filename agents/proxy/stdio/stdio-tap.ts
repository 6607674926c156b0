import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { showCommandLine } from '../../stdio/command-line.ts';
import { describeStartError, type StdioFailure } from '../../stdio/failure.ts';
import { describeLeft, endGroup, markEnvironment, signalGroup } from '../../stdio/process-group.ts';
import { Quiet } from '../../stdio/quiet.ts';
import { watchOver } from '../../stdio/watchdog.ts';
import type { Capacity } from '../../store/trace-file.ts';
import { MessageSplitter } from './message-splitter.ts';
import type { Recording } from '../recording/recorder.ts';
import { StdioCalls } from './stdio-calls.ts';

/** The process to be recorded, and the streams of its caller. */
export interface TapOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Called when the process has closed its input or its output. It may still be running. */
  readonly onClosed?: (what: 'input' | 'output') => void;
  /** Reports a process that could not be ended, in a sentence without a full stop. */
  readonly onLeft?: (message: string) => void;
}

/** How a process ended. */
export type TapEnd =
  | { readonly ok: true; readonly exitCode: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly ok: false; readonly message: string };

/** A running recording of a process. */
export interface StdioTap {
  /** Resolves when the process has ended and all its output has passed. */
  readonly ended: Promise<TapEnd>;
  /**
   * Sends a signal to the process or, like a terminal, to its whole group. If the signal ends the process,
   * what is left of its group is ended too.
   */
  kill(signal: NodeJS.Signals, to?: 'process' | 'group'): void;
}

/**
 * Starts a process in place of an agent and records its traffic: its input, output and error output are those
 * of the caller, byte for byte, with back-pressure. It is started without a shell and leads a process group
 * of its own, so that it can be ended with everything that it started.
 */
export function startStdioTap(options: TapOptions, recording: Recording, capacity: Capacity): StdioTap {
  const { command, args, cwd } = options;
  try {
    const { mark, env } = markEnvironment(process.env);
    const child = spawn(command, [...args], {
      cwd,
      env,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    return tapProcess({ child, mark }, options, recording, capacity);
  } catch (error) {
    // Node.js throws some of the system's errors at once.
    if (!(error instanceof Error)) throw error;
    return {
      ended: Promise.resolve({ ok: false, message: describeStart(error, options).message }),
      kill: () => undefined,
    };
  }
}

/** A recorded process, and the mark in the environment of everything that it starts. */
interface Marked {
  readonly child: ChildProcessWithoutNullStreams;
  readonly mark: string;
}

function tapProcess(
  { child, mark }: Marked,
  options: TapOptions,
  recording: Recording,
  capacity: Capacity,
): StdioTap {
  const { command, args, cwd, stdin, stdout, stderr, onClosed } = options;
  const line = showCommandLine(command, args);
  const calls = new StdioCalls(recording, { line, cwd, pid: child.pid ?? 0 });
  const [sent, came] = [new MessageSplitter(), new MessageSplitter()];
  const sentQuiet = new Quiet(() => sent.endMessage().forEach(piece => calls.sent(piece)));
  const cameQuiet = new Quiet(() => came.endMessage().forEach(piece => calls.came(piece)));
  // A process that could not be started has closed nothing itself.
  const closed = (what: 'input' | 'output'): void => (child.pid === undefined ? undefined : onClosed?.(what));
  const input = pass(stdin, child.stdin, capacity, {
    take(bytes) {
      sent.push(bytes.toString('latin1')).forEach(piece => calls.sent(piece));
      sentQuiet.observe(bytes, sent);
    },
    end() {
      sentQuiet.stop();
      sent.end().forEach(piece => calls.sent(piece));
      child.stdin.end();
    },
  });
  child.stdin.on('error', () => closed('input'));
  pass(child.stdout, stdout, capacity, {
    take(bytes) {
      came.push(bytes.toString('latin1'), sent.isAicl).forEach(piece => calls.came(piece));
      cameQuiet.observe(bytes, came);
    },
    end() {
      cameQuiet.stop();
      came.end().forEach(piece => calls.came(piece));
      closed('output');
    },
  });
  pass(child.stderr, stderr, capacity, {
    take: bytes => calls.warned(bytes.toString('latin1')),
    end: () => undefined,
  });
  const state: TapState = { isSignalled: false };
  return {
    ended: watchEnd({ child, mark }, options, calls, { input, state }),
    kill(signal, to = 'process') {
      state.isSignalled ||= ENDING.has(signal);
      if (to === 'group') signalGroup(child.pid ?? 0, signal);
      else child.kill(signal);
      if (ENDING.has(signal)) state.timer ??= setTimeout(() => reportSlow(child, options), SLOW).unref();
    },
  };
}

/** The signals that were sent to the process of a tap. */
interface TapState {
  /** True once a signal was sent that ends processes. */
  isSignalled: boolean;
  timer?: NodeJS.Timeout;
}

/** Signals that end a process. */
const ENDING: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']);

/** Milliseconds after such a signal until a process that still runs is reported. */
const SLOW = 5_000;

function reportSlow({ pid = 0 }: ChildProcessWithoutNullStreams, { onLeft }: TapOptions): void {
  onLeft?.(
    `Process ${pid} keeps running in spite of the signal, and so does its recording; kill -9 ${process.pid} ends both`,
  );
}

/** Receives the bytes of one direction. */
interface Passage {
  readonly take: (bytes: Buffer) => void;
  /** Nothing more arrives. */
  readonly end: () => void;
}

/**
 * Passes bytes on before they are recorded. If the reader has gone, the writer gets EPIPE, as it would
 * without the tap.
 */
function pass(from: Readable, to: Writable, capacity: Capacity, { take, end }: Passage): { stop(): void } {
  let isOver = false;
  const goOn = (): void => {
    if (isOver) return;
    if (to.writableNeedDrain) to.once('drain', goOn);
    else if (capacity.isFull) capacity.whenFree(goOn);
    else from.resume();
  };
  const onData = (bytes: Buffer): void => {
    const hasCapacity = to.write(bytes);
    take(bytes);
    if (hasCapacity && !capacity.isFull) return;
    from.pause();
    goOn();
  };
  const over = (): void => {
    if (isOver) return;
    isOver = true;
    end();
  };
  from.on('data', onData).once('end', over).once('close', over);
  // A terminal that is closed reports an error: nothing more arrives from it.
  from.on('error', over);
  to.on('error', () => from.destroy());
  return {
    stop() {
      from.off('data', onData).pause();
      over();
    },
  };
}

function watchEnd(
  { child, mark }: Marked,
  options: TapOptions,
  calls: StdioCalls,
  { input, state }: { readonly input: { stop(): void }; readonly state: TapState },
): Promise<TapEnd> {
  const { pid } = child;
  // What the process started and left behind is watched too, as long as it writes to our pipes.
  const callOff = pid === undefined ? () => undefined : watchOver(pid, mark);
  let isCleared = Promise.resolve();
  child.once('exit', () => {
    clearTimeout(state.timer);
    if (!state.isSignalled || pid === undefined) return;
    isCleared = endGroup(pid, mark).then(isLeft =>
      isLeft ? options.onLeft?.(describeLeft(pid)) : undefined,
    );
  });
  return new Promise(resolve => {
    child.once('error', error => {
      input.stop();
      const { code, message } = describeStart(error, options);
      calls.end({ status: 'error', code, message });
      resolve({ ok: false, message });
    });
    child.once('close', (exitCode, signal) => {
      input.stop();
      const how = signal === null ? `with code ${exitCode ?? 0}` : `by ${signal}`;
      const failed = { status: 'error', code: signal ?? `EXIT ${exitCode ?? 0}` } as const;
      const message = `The process ended ${how}`;
      calls.end(
        { ...failed, message: `${message} before it answered` },
        exitCode === 0 ? { status: 'ok' } : { ...failed, message },
      );
      void isCleared.then(() => {
        callOff();
        resolve({ ok: true, exitCode, signal });
      });
    });
  });
}

function describeStart(error: Error, { command, args }: TapOptions): StdioFailure {
  return describeStartError(error, { line: showCommandLine(command, args), name: command });
}
