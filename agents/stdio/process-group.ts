import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Sends a signal to a process and to all that it started. The process leads a group of its own (`detached`); Windows
 * knows no groups and no signals, there its tree is ended. What is gone already is no error.
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
    // No process of the group is left (ESRCH), or none that is ours (EPERM).
  }
}

/** The variable by which processes that left the group of an agent are found. */
const MARK = 'PARLEY_PROCESS';

/** An environment with a mark in it that all processes inherit that are started with it. */
export function markEnvironment(env: NodeJS.ProcessEnv): {
  readonly mark: string;
  readonly env: NodeJS.ProcessEnv;
} {
  const id = randomUUID();
  return { mark: `${MARK}=${id}`, env: { ...env, [MARK]: id } };
}

/** Kills processes with a mark that left the group, such as daemons. Only Linux shows the environment of others. */
export function killMarked(mark: string): void {
  if (process.platform !== 'linux') return;
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name) && hasMark(name, mark)) tryToKill(Number(name));
}

function hasMark(name: string, mark: string): boolean {
  try {
    return readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(mark);
  } catch {
    // It has ended since, or is another user's.
    return false;
  }
}

function tryToKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended since.
  }
}

/** Milliseconds that processes have to end after SIGTERM, and after SIGKILL. */
const UNTIL_ENDED = 1_000;

/** How often it is looked whether they have, in milliseconds. */
const LOOK_EVERY = 20;

/** Ends what is left of a group: by SIGTERM, then by SIGKILL; what has left it by SIGKILL. Answers whether any of it still runs. */
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

/** What is said of a group that could not be ended. */
export function describeLeft(pid: number): string {
  return `Process ${pid} could not be ended; end it yourself: kill -9 -- -${pid}`;
}

/** True while a process of a group runs. Windows knows no groups. */
export function isGroupRunning(pid: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    process.kill(-pid, 0);
  } catch (error) {
    // One that may not be signalled is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  // A process that has ended counts until its parent has asked how, which not all do: Linux tells them apart.
  return process.platform !== 'linux' || readdirSync('/proc').some(name => isMember(name, pid));
}

function isMember(name: string, group: number): boolean {
  if (!/^\d+$/.test(name)) return false;
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The name of the program is in parentheses, and may hold some.
    const [state, , found] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(found) === group && state !== 'Z' && state !== 'X';
  } catch {
    // It has ended since.
    return false;
  }
}
