import { spawn } from 'node:child_process';

/**
 * Sends a signal to a process and to all that it started. The process leads a group of its own (`detached`); Windows
 * knows no groups and no signals, there its tree is ended. What is gone already is no error.
 */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
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
