import { spawn } from 'node:child_process';

/**
 * Waits until its input ends, which it does when our process is gone, in whatever way; then ends the group of the process whose
 * id is `$1`, as `AgentProcess.stop` does, and those that left it with the mark `$2` in their environment. What still runs then is reported. Linux shows who that is, also where it may not be
 * signalled, and which processes have ended and only wait for their parent.
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
 * Sees that a process does not outlive us: a shell of a few kilobytes waits beside it. A process that ignores the end of its
 * input would run on for ever else. What it cannot end it says on our error output. Answers what calls the watch off. On
 * Windows, and where there is no shell, the end of the input has to do.
 */
export function watchOver(pid: number, mark: string): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watchdog = spawn('/bin/sh', ['-c', SCRIPT, 'parley-watchdog', String(pid), mark], {
    // In a group of its own: what interrupts us must not end it first.
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
