import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder with files that must not be read, each by what it is, and regular ones that may be. */
export interface IrregularFiles {
  readonly folder: string;
  readonly refused: readonly (readonly [name: string, reason: string])[];
}

/** Makes pipes, links to devices, folders and the like below a new folder. */
export function makeIrregularFiles(): IrregularFiles {
  const folder = mkdtempSync(join(tmpdir(), 'parley-irregular-'));
  const at = (name: string): string => join(folder, name);
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('pipe', at('link-to-pipe'));
  symlinkSync('/dev/zero', at('zero'));
  symlinkSync('zero', at('link-to-zero'));
  symlinkSync('/dev/tty', at('terminal'));
  mkdirSync(at('folder'));
  symlinkSync('loop', at('loop'));
  symlinkSync('gone', at('dangling'));
  writeFileSync(at('sparse'), '');
  truncateSync(at('sparse'), 5 * 2 ** 30);
  writeFileSync(at('regular'), 'text');
  symlinkSync('regular', at('link-to-regular'));
  writeFileSync(at('empty'), '');
  return {
    folder,
    refused: [
      ['pipe', 'is a pipe, not a regular file'],
      ['link-to-pipe', 'is a pipe, not a regular file'],
      ['zero', 'is a device, not a regular file'],
      ['link-to-zero', 'is a device, not a regular file'],
      ['terminal', 'is a device, not a regular file'],
      ['folder', 'is a folder, not a regular file'],
    ],
  };
}

/**
 * Runs a TypeScript module in a process of its own, with arguments, and answers what it printed as JSON. The process has an
 * address space of 8 GB and ends before the test does, so that a file that is read without end harms nothing else.
 */
export async function runBounded(module: string, args: readonly string[]): Promise<unknown> {
  const bounded = 'ulimit -v 8000000; exec timeout 110 "$@"';
  const words = [process.execPath, '--no-warnings', module, ...args];
  const child = spawn('bash', ['-c', bounded, 'bash', ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code !== 0) throw new Error(`The process ended with ${String(code ?? signal)}`);
  return JSON.parse(out) as unknown;
}
