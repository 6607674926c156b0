import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { describeStartError, type ProcessEnd, type StdioFailure } from './failure.ts';
import { LastWords } from './last-words.ts';
import type { Launch } from './launch.ts';
import { describeLeft, killMarked, markEnvironment, signalGroup } from './process-group.ts';
import { watchOver } from './watchdog.ts';

/** Hears a process. */
export interface ProcessListener {
  stdout(bytes: Buffer): void;
  stderr(bytes: Buffer): void;
  /** It has closed its input. What it still writes is heard until `gone`. */
  closedInput(): void;
  /** It has ended and all that it wrote was heard. Called once. */
  gone(end: ProcessEnd): void;
}

/** Milliseconds that a process has. Users do not set them; tests do. */
export interface ProcessLimits {
  /** To end by itself after the end of its input. */
  readonly untilTerm: number;
  /** To end after SIGTERM, before its group is killed. */
  readonly untilKill: number;
  /** For its exit to be seen after it closed its input: how it ended says more than that. */
  readonly untilExit: number;
}

export const DEFAULT_PROCESS_LIMITS: ProcessLimits = { untilTerm: 2_000, untilKill: 2_000, untilExit: 500 };

/** How long output may come after the exit, from a grandchild that has left the group. */
const OUTPUT_AFTER_EXIT = 1_000;

export type StartedProcess =
  | { readonly ok: true; readonly process: AgentProcess }
  | { readonly ok: false; readonly failure: StdioFailure };

/** Starts a process, without a shell. It leads a group of its own, so that nothing of it stays behind. */
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
    // Before anything is waited for: nothing that happens at once may be missed.
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

/** A running process: takes texts, tells what it writes and how it ends. */
export class AgentProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  /** What all that it started has in its environment. */
  readonly #mark: string;
  readonly #listener: ProcessListener;
  readonly #limits: ProcessLimits;
  readonly #lastWords = new LastWords();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #gone: Promise<void>;
  #tellGone = (): void => undefined;
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
    this.#gone = new Promise(resolve => (this.#tellGone = resolve));
    child.once('spawn', () => (this.#callOff = watchOver(this.pid, mark)));
    // A start that failed is told by `startProcess`; later errors, such as a signal that could not be sent, change nothing.
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
      this.#tellGone();
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Sends bytes. Where they do not arrive the listener hears `closedInput` or `gone`. */
  write(bytes: Uint8Array): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(bytes);
  }

  /** Ends its input, which tells it that no more requests come. */
  endInput(): void {
    this.#isInputEnded = true;
    this.#child.stdin.end();
  }

  /** Ends its input, then asks it to end, then kills its group. Resolves when it is gone. */
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

  /** What cannot be killed, such as a process of another user, is reported, and not waited for. */
  #giveUp(): void {
    process.emitWarning(describeLeft(this.pid));
    this.#tellGone();
  }

  /** Ends it and all that it started, at once. */
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
    // What it started ends with it. Its id stays taken as long as one of its group is there.
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
