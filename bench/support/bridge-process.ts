import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));

export interface RunningBridge {
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts `parley bridge` to an agent, in a process of its own as users do; `recorded` with a trace file. */
export async function startBridge(
  agent: { readonly protocol: string; readonly url: string },
  as: string,
  trace: 'recorded' | 'unrecorded' = 'unrecorded',
): Promise<RunningBridge> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bridge-'));
  const file = join(folder, 'agents.json');
  await writeFile(file, JSON.stringify({ agents: { bench: { ...agent, type: 'http' } } }));
  const args = [CLI, 'bridge', '--to', 'bench', '--as', as, '--agents', file];
  if (trace === 'recorded') args.push('--trace', join(folder, 'bridge.trace.jsonl'));
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (bytes: Buffer) => {
      text += bytes.toString();
      if (text.includes('\n')) resolve(text.trim());
    });
    child.once('exit', () => reject(new Error('The bridge has ended')));
  });
  return {
    address,
    async stop() {
      child.kill('SIGINT');
      await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}
