// Loaded into a measured process by --import: writes its peak memory (KiB) on exit. `maxRSS` would be that of the process
// that started it, where that is greater.
import { readFileSync, writeFileSync } from 'node:fs';

const path = process.env['ATTACK_PEAK_FILE'];
delete process.env['ATTACK_PEAK_FILE'];
if (path !== undefined)
  process.on('exit', () => {
    const [, peak = ''] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    writeFileSync(path, peak);
  });
