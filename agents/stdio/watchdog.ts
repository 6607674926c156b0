import { spawn } from 'node:child_process';

/**
 * Waits until its input ends, which happens whenever our process ends. Then it ends the group of the process
 * with the id `$1`, as `AgentProcess.stop` does, and processes that left it with the mark `$2` in their
 * environment. What still runs after that is reported. Linux shows which processes these are, even if they
 * may not be signalled, and which have ended and only wait for their parent.
 */
const SCRIPT = `
group=$1
mark=$2
runs() {
  if [ ! -r /proc/self/stat ]; then
    kill -s 0 -- "-$group" 2>/dev/null
    return
  fi
  for file in /proc/[0-9]*/stat; do
    read -r stat 2>/dev/null <"$file" || continue
    set -- \${stat##*) }
    [ "$3" = "$group" ] || continue
    case $1 in Z | X) ;; *) return 0 ;; esac
  done
  return 1
}
read -r _
sleep 1
for signal in TERM KILL; do
  runs || break
  kill -s "$signal" -- "-$group" 2>/dev/null
  sleep 1
done
for file in $(grep -lsF "$mark" /proc/[0-9]*/environ); do
  file=\${file#/proc/}
  kill -s KILL "\${file%/environ}" 2>/dev/null
done
runs && echo "parley: process $group could not be ended; end it yourself: kill -9 -- -$group" >&2`;

/**
 * Ensures that a process does not outlive us, even if it ignores the end of its input: a shell of a few
 * kilobytes waits beside it, and reports on our error output what it cannot end. Returns a function that
 * calls this off. On Windows, and without a shell, only the end of the input is available.
 */
export function watchOver(pid: number, mark: string): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watchdog = spawn('/bin/sh', ['-c', SCRIPT, 'parley-watchdog', String(pid), mark], {
    // In a group of its own, so that a signal that interrupts us does not end it first.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    cwd: '/',
    env: { PATH: '/bin:/usr/bin' },
  });
  watchdog.on('error', () => undefined);
  watchdog.stdin?.on('error', () => undefined);
  watchdog.unref();
  return () => void watchdog.kill('SIGKILL');
}
