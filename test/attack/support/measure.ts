import { Readable } from 'node:stream';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { runCli } from '../../../cli/src/cli.ts';
import { CLI } from '../../support/built-cli.ts';

/**
 * How rows are run: `full` at full size, `short` at a hundredth of it, `inside` likewise, and in this process where a command
 * can.
 */
export type Form = 'full' | 'short' | 'inside';

/** A number of bytes. */
export const MIB = 2 ** 20;

/** Loaded into each measured process. */
const PRELOAD = 'measured-process.mjs';

/** Bytes of memory above which a process is killed, so that a failure does not take the machine with it. */
const MEMORY_CAP = 3072 * MIB;

/** Milliseconds after which a process is killed. It is a safety net: work that is linear ends long before. */
const TIME_CAP = 90_000;

/** Milliseconds for the processes that a command started to end after it. */
const GRACE = 8_000;

/** Bytes of the output of a process that are stored; the rest is dropped. */
const MAX_OUTPUT = 8 * MIB;

/** How a measured process ended. */
export interface Run {
  /** The exit code, the signal, or which of the safety nets ended it. */
  readonly end: number | NodeJS.Signals | 'too much memory' | 'hangs';
  readonly out: string;
  readonly err: string;
  /** The most memory that it had at a time, in bytes. */
  readonly peak: number;
  /** The blocks of JavaScript that its main thread ran; undefined except in the short form of a process that ended by itself. */
  readonly work: number | undefined;
  /** Command lines of processes that were still there some seconds after it. */
  readonly left: readonly string[];
}

/** A process that is being measured. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Run>;
  /** The output and the error output until now. */
  text(): { readonly out: string; readonly err: string };
}

/** What a process is started with. */
export interface Start {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program to measure; the command line if left out. */
  readonly program?: string;
  /** Runs in a terminal; its output and error output are one then. */
  readonly isTerminal?: boolean;
  readonly timeCap?: number;
  readonly memoryCap?: number;
  /** `inside` runs the command in this process where it needs no terminal: quicker, and without a measure of its memory. */
  readonly form?: Form;
}

/** Starts the command line as a process of its own. */
export function startParley(words: readonly string[], start: Start): Running {
  const id = randomUUID();
  const measuresFile = join(tmpdir(), `parley-attack-${id}`);
  const preload = join(import.meta.dirname, PRELOAD);
  const command = [process.execPath, '--import', preload, start.program ?? CLI, ...words];
  const [program = '', ...args] = start.isTerminal ? inTerminal(command) : command;
  const child = spawn(program, args, {
    cwd: start.cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    env: {
      ...process.env,
      ...start.env,
      ATTACK_MEASURES_FILE: measuresFile,
      // Counting slows a process and adds to its memory, so that at full size it would distort the peak.
      ATTACK_COUNTS: start.form === 'short' ? '1' : '',
      ATTACK_ID: id,
      TERM: 'xterm',
    },
  });
  const outputs = { out: new Output(child.stdout), err: new Output(child.stderr) };
  child.stdin.on('error', () => undefined);
  const text = (): { out: string; err: string } => ({ out: outputs.out.text, err: outputs.err.text });
  const net = new Net(child, id, start);
  const ended = new Promise<Run>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      void (async () => {
        net.stop();
        const left = await waitForOthers(id);
        await Promise.all([outputs.out.ended, outputs.err.ended]);
        const written = existsSync(measuresFile) ? readMeasures(measuresFile) : undefined;
        await rm(measuresFile, { force: true });
        const end = net.reason ?? signal ?? code ?? 0;
        const peak = Math.max(net.peak, written?.peak ?? 0);
        resolve({ end, ...text(), peak, work: written?.work, left });
      })();
    });
  });
  return { child, ended, text };
}

/** Runs the command line with an input to its end. */
export function runParley(
  words: readonly string[],
  start: Start & { readonly input?: string | Uint8Array },
): Promise<Run> {
  if (start.form === 'inside' && !start.isTerminal) return runInside(words, start);
  const running = startParley(words, start);
  running.child.stdin?.end(start.input ?? '');
  return running.ended;
}

/** Runs a command in this process. Its children carry the id of the run as those of a process would. */
async function runInside(
  words: readonly string[],
  { cwd, env = {}, input = '' }: Start & { readonly input?: string | Uint8Array },
): Promise<Run> {
  const id = randomUUID();
  const text = { out: '', err: '' };
  process.env['ATTACK_ID'] = id;
  try {
    const end = await runCli(
      {
        cwd,
        env: { ...process.env, ...env },
        colour: false,
        isScreen: false,
        catchInterrupts: () => new AbortController().signal,
        input: () => Readable.from([Buffer.from(input)]),
        out: added => void (text.out += added),
        settle: () => Promise.resolve(),
        err: added => void (text.err += added),
      },
      words,
    );
    return { end, ...text, peak: 0, work: undefined, left: await waitForOthers(id) };
  } finally {
    delete process.env['ATTACK_ID'];
  }
}

function readMeasures(path: string): { readonly peak: number; readonly work?: number } {
  return JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof readMeasures>;
}

/** `script` (util-linux) runs a command in a terminal of its own. */
function inTerminal(command: readonly string[]): readonly string[] {
  const line = command.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return ['script', '--quiet', '--return', '--command', `exec ${line}`, '/dev/null'];
}

/** What a process writes, up to a limit, so that the measuring process stays small. */
class Output {
  readonly ended: Promise<void>;
  readonly #pieces: Buffer[] = [];
  #length = 0;

  constructor(stream: NodeJS.ReadableStream | null) {
    stream?.on('data', (piece: Buffer) => {
      if (this.#length < MAX_OUTPUT) this.#pieces.push(piece);
      this.#length += piece.length;
    });
    // A process that was left behind may hold the pipe open.
    this.ended = new Promise(resolve => {
      stream?.on('close', resolve);
      stream?.on('end', resolve);
      stream?.on('error', () => resolve());
    });
  }

  get text(): string {
    return Buffer.concat(this.#pieces).toString();
  }
}

/** Watches the memory and the time of a process, and kills it at the caps. */
class Net {
  peak = 0;
  reason: 'too much memory' | 'hangs' | undefined;
  readonly #id: string;
  readonly #child: ChildProcess;
  readonly #memoryCap: number;
  readonly #timer: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout;

  constructor(child: ChildProcess, id: string, { timeCap = TIME_CAP, memoryCap = MEMORY_CAP }: Start) {
    this.#child = child;
    this.#memoryCap = memoryCap;
    this.#id = id;
    this.#timer = setInterval(() => this.#look(), 40);
    this.#deadline = setTimeout(() => this.#kill('hangs'), timeCap);
  }

  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#deadline);
  }

  #look(): void {
    this.peak = Math.max(this.peak, readPeak(this.#child.pid ?? 0));
    if (this.peak > this.#memoryCap) this.#kill('too much memory');
  }

  #kill(reason: 'too much memory' | 'hangs'): void {
    this.reason ??= reason;
    this.stop();
    // In a terminal the measured process is a child of the one that we started.
    if (reason === 'hangs') for (const pid of findProcesses(this.#id)) kill(pid);
    this.#child.kill('SIGKILL');
  }
}

/** The most memory that a process had at a time; 0 where it is gone, or not begun and still a copy of this process. */
function readPeak(pid: number): number {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(PRELOAD)) return 0;
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Processes that carry the id of a run in their environment: also those that left its group and session. */
function findProcesses(id: string): readonly number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`ATTACK_ID=${id}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Waits until nothing of a run is left; kills what stays and answers its command lines. */
async function waitForOthers(id: string): Promise<readonly string[]> {
  const end = Date.now() + GRACE;
  let found = findProcesses(id);
  while (found.length > 0 && Date.now() < end) {
    await new Promise(resolve => setTimeout(resolve, 50));
    found = findProcesses(id);
  }
  const lines = found.map(pid => readCommand(pid)).filter(line => line !== '');
  found.forEach(kill);
  return lines;
}

function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
