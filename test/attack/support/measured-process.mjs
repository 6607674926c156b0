// Loaded into a measured process by --import: writes its peak memory (bytes) and, if wanted, its work as JSON on exit.
// `maxRSS` would be that of the process that started it, where that is greater. The work is the number of blocks of
// JavaScript that the main thread ran, as V8 counts them for coverage: a count that does not depend on the machine or on what
// else runs on it. What built-in functions do inside is not counted.
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';

const path = process.env['ATTACK_MEASURES_FILE'];
const isCounted = process.env['ATTACK_COUNTS'] === '1';
delete process.env['ATTACK_MEASURES_FILE'];
delete process.env['ATTACK_COUNTS'];
if (path !== undefined) {
  const session = new Session();
  session.connect();
  if (isCounted) {
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }
  process.on('exit', () => {
    // Listing the counts takes memory, so the peak is read before.
    const [, peak = ''] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    let work;
    if (isCounted)
      session.post('Profiler.takePreciseCoverage', (error, taken) => {
        work = 0;
        for (const script of taken?.result ?? [])
          for (const { ranges } of script.functions) for (const { count } of ranges) work += count;
      });
    writeFileSync(path, JSON.stringify({ peak: Number(peak) * 1024, work }));
  });
}
