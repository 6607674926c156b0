import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Sends a signal to a process and to everything that it started. The process leads a group of its own (`detached`).
 * Windows has neither groups nor signals, so its process tree is ended there. It is no error if nothing is left.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore' }).on(
      'error',
      () => undefined,
    );
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // No process of the group is left (ESRCH), or none of them may be signalled (EPERM).
  }
}

/** The variable that identifies processes which left the group of an agent. */
const MARK = 'PARLEY_PROCESS';

/** An environment with a mark that is inherited by all processes started with it. */
export function markEnvironment(env: NodeJS.ProcessEnv): {
  readonly mark: string;
  readonly env: NodeJS.ProcessEnv;
} {
  const id = randomUUID();
  return { mark: `${MARK}=${id}`, env: { ...env, [MARK]: id } };
}

/**
 * Kills processes with a mark that left the group, such as daemons. Only Linux shows the environment of other
 * processes.
 */
export function killMarked(mark: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name) && hasMark(name, mark)) tryToKill(Number(name));
}

function hasMark(name: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(mark);
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return false;
  }
}

function tryToKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** Milliseconds for processes to end after SIGTERM, and after SIGKILL. */
const UNTIL_ENDED = 1_000;

/** Milliseconds between checks whether they have ended. */
const LOOK_EVERY = 20;

/**
 * Ends what is left of a group, by SIGTERM, then by SIGKILL; processes that left it, by SIGKILL. Returns
 * whether any of the group still runs.
 */
export async function endGroup(pid: number, mark: string): Promise<boolean> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isGroupRunning(pid)) break;
    signalGroup(pid, signal);
    for (let waited = 0; waited < UNTIL_ENDED && isGroupRunning(pid); waited += LOOK_EVERY)
      await wait(LOOK_EVERY);
  }
  killMarked(mark);
  return isGroupRunning(pid);
}

/** The sentence about a group that could not be ended. */
export function describeLeft(pid: number): string {
  return `Process ${pid} could not be ended; end it yourself: kill -9 -- -${pid}`;
}

/** True while a process of a group runs. Windows has no groups. */
export function isGroupRunning(pid: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    process.kill(-pid, 0);
  } catch (error) {
    // A process exists that may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // An ended process counts until its parent has read its status, which some never do. Linux shows the difference.
  return process.platform !== 'linux' || readdirSync('/proc').some(name => isMember(name, pid));
}

function isMember(name: string, group: number): boolean {
  if (!/^\d+$/.test(name)) return false;
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The name of the program is in parentheses and may contain some.
    const [state, , found] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(found) === group && state !== 'Z' && state !== 'X';
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
