import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { describeStartError, type ProcessEnd, type StdioFailure } from './failure.ts';
import { LastWords } from './last-words.ts';
import type { Launch } from './launch.ts';
import { describeLeft, killMarked, markEnvironment, signalGroup } from './process-group.ts';
import { watchOver } from './watchdog.ts';

/** Observes a process. */
export interface ProcessListener {
  stdout(bytes: Buffer): void;
  stderr(bytes: Buffer): void;
  /** It has closed its input. Its output is still reported until `gone`. */
  closedInput(): void;
  /** It has ended and all its output was reported. Called once. */
  gone(end: ProcessEnd): void;
}

/** Milliseconds that a process has. Only tests change them. */
export interface ProcessLimits {
  /** To end by itself after the end of its input. */
  readonly untilTerm: number;
  /** To end after SIGTERM, before its group is killed. */
  readonly untilKill: number;
  /** To exit after it closed its input: its exit is more informative than that. */
  readonly untilExit: number;
}

export const DEFAULT_PROCESS_LIMITS: ProcessLimits = { untilTerm: 2_000, untilKill: 2_000, untilExit: 500 };

/** Milliseconds that output may arrive after the exit, from a grandchild that has left the group. */
const OUTPUT_AFTER_EXIT = 1_000;

export type StartedProcess =
  | { readonly ok: true; readonly process: AgentProcess }
  | { readonly ok: false; readonly failure: StdioFailure };

/** Starts a process, without a shell. It leads a process group of its own, so that nothing of it is left behind. */
export async function startProcess(
  launch: Launch,
  listener: ProcessListener,
  limits: ProcessLimits,
): Promise<StartedProcess> {
  try {
    const { mark, env } = markEnvironment(launch.env);
    const child = spawn(launch.command, [...launch.args], {
      cwd: launch.cwd,
      env,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // Before anything asynchronous, so that no event is missed.
    const started = new AgentProcess(child, mark, listener, limits);
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return { ok: true, process: started };
  } catch (error) {
    return { ok: false, failure: describeStartError(toError(error), launch) };
  }
}

/** A running process: receives bytes, reports its output and its end. */
export class AgentProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  /** The mark in the environment of everything that it started. */
  readonly #mark: string;
  readonly #listener: ProcessListener;
  readonly #limits: ProcessLimits;
  readonly #lastWords = new LastWords();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #gone: Promise<void>;
  #reportGone = (): void => undefined;
  #callOff = (): void => undefined;
  #isInputEnded = false;
  #isStopping = false;
  #hasEnded = false;

  constructor(
    child: ChildProcessWithoutNullStreams,
    mark: string,
    listener: ProcessListener,
    limits: ProcessLimits,
  ) {
    this.#child = child;
    this.#mark = mark;
    this.#listener = listener;
    this.#limits = limits;
    this.#gone = new Promise(resolve => (this.#reportGone = resolve));
    child.once('spawn', () => (this.#callOff = watchOver(this.pid, mark)));
    // `startProcess` reports a failed start. Later errors, for example a signal that could not be sent, have
    // no effect.
    child.on('error', () => undefined);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    child.stdin.on('close', () => this.#onInputClosed());
    child.stdout.on('data', (bytes: Buffer) => listener.stdout(bytes));
    child.stderr.on('data', (bytes: Buffer) => {
      this.#lastWords.push(bytes);
      listener.stderr(bytes);
    });
    child.once('exit', () => this.#onExit());
    child.once('close', (exitCode, signal) => {
      this.#clearTimers();
      if (!this.#hasEnded) return;
      listener.gone({ exitCode, signal, lastWords: this.#lastWords.find() });
      this.#reportGone();
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Sends bytes. If they do not arrive, the listener receives `closedInput` or `gone`. */
  write(bytes: Uint8Array): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(bytes);
  }

  /** Ends its input, which means that no more requests follow. */
  endInput(): void {
    this.#isInputEnded = true;
    this.#child.stdin.end();
  }

  /** Ends its input, then sends SIGTERM, then kills its group. Resolves when it has ended. */
  stop(): Promise<void> {
    if (!this.#isStopping && !this.#hasEnded) {
      this.#isStopping = true;
      const { untilTerm, untilKill } = this.#limits;
      this.#child.stdin.end();
      this.#after(untilTerm, () => signalGroup(this.pid, 'SIGTERM'));
      this.#after(untilTerm + untilKill, () => this.kill());
      this.#after(untilTerm + 2 * untilKill, () => this.#giveUp());
    }
    return this.#gone;
  }

  /** Reports a process that cannot be killed, for example one of another user, and stops waiting for it. */
  #giveUp(): void {
    process.emitWarning(describeLeft(this.pid));
    this.#reportGone();
  }

  /** Kills it and everything that it started, at once. */
  kill(): void {
    this.#isStopping = true;
    if (!this.#hasEnded) signalGroup(this.pid, 'SIGKILL');
  }

  #onInputClosed(): void {
    if (this.#isInputEnded || this.#isStopping || this.#hasEnded) return;
    this.#after(this.#limits.untilExit, () => this.#listener.closedInput());
  }

  #onExit(): void {
    this.#hasEnded = true;
    this.#clearTimers();
    this.#callOff();
    // What it started ends with it. Its id is not reused while a process of its group exists.
    signalGroup(this.pid, 'SIGKILL');
    killMarked(this.#mark);
    this.#after(OUTPUT_AFTER_EXIT, () => {
      this.#child.stdout.destroy();
      this.#child.stderr.destroy();
    });
  }

  #after(milliseconds: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, milliseconds);
    this.#timers.add(timer);
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}

function toError(error: unknown): NodeJS.ErrnoException {
  return error instanceof Error ? error : new Error(String(error));
}
