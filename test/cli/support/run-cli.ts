import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { dirname, join } from 'node:path';
import { runCli } from '../../../cli/src/cli.ts';

/** All that a run of the command line left behind. */
export interface CliRun {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export interface CliOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly isScreen?: boolean;
  readonly colour?: boolean;
  readonly interrupt?: AbortSignal;
  /** Called with each piece of output. */
  readonly onOut?: (text: string) => void;
  /** Called with each piece of the output for people. */
  readonly onErr?: (text: string) => void;
}

/** A folder of its own with the real command line in it. */
export class CliFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  static async create(files: Readonly<Record<string, string | Uint8Array>>): Promise<CliFolder> {
    const folder = new CliFolder(await mkdtemp(join(tmpdir(), 'parley-cli-')));
    for (const [name, content] of Object.entries(files)) await folder.write(name, content);
    return folder;
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const path = join(this.path, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  async run(words: readonly string[], options: CliOptions = {}): Promise<CliRun> {
    let out = '';
    let err = '';
    const input = options.input ?? '';
    const terminal = {
      cwd: this.path,
      env: options.env ?? {},
      isScreen: options.isScreen ?? options.colour ?? false,
      colour: options.colour ?? false,
      catchInterrupts: () => options.interrupt ?? new AbortController().signal,
      input: () => Readable.from([Buffer.from(input)]),
      out(text: string) {
        out += text;
        options.onOut?.(text);
      },
      settle: () => Promise.resolve(),
      err(text: string) {
        err += text;
        options.onErr?.(text);
      },
    };
    const exitCode = await runCli(terminal, words);
    return { exitCode, out, err };
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
