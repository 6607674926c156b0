import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../../scripts/root.ts';

/** `npm start`, running. */
export interface StartedProject {
  readonly child: ChildProcess;
  /** The address that it printed. */
  readonly url: string;
}

/** Starts the project as `npm start` does where there is no desktop VS Code. */
export async function startProject(): Promise<StartedProject> {
  // No screen, and only Node on the path: whatever else this machine has, the server build is what opens.
  const PATH = dirname(process.execPath);
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
    env: { ...process.env, PATH, DISPLAY: undefined, WAYLAND_DISPLAY: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Open this address in a browser: (.*)$/.exec(line)?.[1];
    if (url !== undefined) return { child, url };
  }
  assert.fail('npm start ended before it printed an address');
}

/** Ctrl-C, and the exit code that follows. */
export function interrupt(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  child.kill('SIGINT');
  return ended;
}
