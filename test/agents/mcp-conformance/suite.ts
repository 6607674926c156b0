import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What the suite found about one scenario. */
export interface Verdict {
  /** 0 where the suite is content. */
  readonly exitCode: number;
  /** Its checks that are not met, as `id: what is wrong`. */
  readonly faults: readonly string[];
  readonly met: number;
  /** All that it said, for the message of a test. */
  readonly output: string;
}

const MANIFEST = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
const SUITE = join(dirname(MANIFEST), readBin());

/** The names of the scenarios for clients or for servers, as the suite lists them. */
export async function listScenarios(of: 'client' | 'server' = 'client'): Promise<readonly string[]> {
  const { stdout } = await run(['list', `--${of}`]);
  return [...stdout.matchAll(/^ *- (\S+)/gm)].map(([, name = '']) => name);
}

/** Has the suite call a server at an address. */
export async function runServerScenario(name: string, url: string, folder: string): Promise<Verdict> {
  const args = ['server', '--url', url, '--scenario', name, '--verbose'];
  return judge(await run(args, folder));
}

/** Our client as one file, which starts in a third of the time: it is started for each scenario. */
export async function bundleClient(folder: string): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'client.ts')],
    outfile: join(folder, 'client.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
}

/** Has the suite start our client, which is in a folder, against one of its servers. */
export async function runScenario(name: string, folder: string): Promise<Verdict> {
  // A shell of the suite's own reads it, and a folder's name may hold blanks.
  const command = `"${process.execPath}" "${join(folder, 'client.mjs')}"`;
  const args = ['client', '--command', command, '--scenario', name, '--verbose'];
  return judge(await run(args, folder));
}

function judge({ exitCode, stdout, stderr }: Awaited<ReturnType<typeof run>>): Verdict {
  // The suite says more around the checks where it calls a server.
  const checks = JSON.parse(/^\[[\s\S]*?^\]|^\[\]/m.exec(stdout)?.[0] ?? '[]') as readonly Check[];
  return {
    exitCode,
    faults: checks
      .filter(isFault)
      .map(({ id, errorMessage, description }) => `${id}: ${errorMessage ?? description}`),
    met: checks.filter(({ status }) => status === 'SUCCESS').length,
    output: stderr,
  };
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly errorMessage?: string;
}

function isFault({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING';
}

function readBin(): string {
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { bin: { conformance: string } };
  return manifest.bin.conformance;
}

function run(
  args: readonly string[],
  folder?: string,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  // Each scenario reads the same sources.
  const env = { ...process.env, ...(folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }) };
  return new Promise(resolve => {
    const child = execFile(
      process.execPath,
      [SUITE, ...args],
      { env, maxBuffer: 2 ** 26 },
      (_, stdout, stderr) => resolve({ exitCode: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
