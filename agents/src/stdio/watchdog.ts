import { spawn } from 'node:child_process';

/**
 * Waits until its input ends, which it does when our process is gone, however it went; then ends the group of the
 * process whose id is `$1`, as `AgentProcess.stop` does.
 */
const SCRIPT = 'read -r _; sleep 1; kill -s TERM -- "-$1" && sleep 1 && kill -s KILL -- "-$1"';

/**
 * Sees that a process does not outlive us: a shell of a few kilobytes waits beside it. A process that ignores the end
 * of its input would stay for ever else. Answers what calls the watch off. On Windows, and where there is no shell, the
 * end of the input has to do.
 */
export function watchOver(pid: number): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watchdog = spawn('/bin/sh', ['-c', SCRIPT, 'parley-watchdog', String(pid)], {
    // In a group of its own: what interrupts us must not end it first.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    env: { PATH: '/bin:/usr/bin' },
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin.on('error', () => undefined);
  watchdog.unref();
  return () => void watchdog.kill('SIGKILL');
}
