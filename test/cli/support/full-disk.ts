import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { CLI } from '../../support/built-cli.ts';

/** A file has so many bytes of room: the system refuses what is more, as on a full disk. */
const ROOM = 20_480;

/** What finds no room. */
export const LONG = 'x'.repeat(2 * ROOM);

/** A process of the command line whose files have little room, and what it says. */
export class RunOnFullDisk {
  readonly child: ChildProcessWithoutNullStreams;
  out = '';
  err = '';
  #onWords = (): void => undefined;

  constructor(words: readonly string[], cwd: string) {
    // The limit that another process can lift again, as somebody makes room on a disk.
    const limited = `ulimit -S -f ${ROOM / 512} && exec "$@"`;
    this.child = spawn('sh', ['-c', limited, 'sh', process.execPath, '--no-warnings', CLI, ...words], {
      cwd,
    });
    this.child.stdout.on('data', piece => this.#take(() => (this.out += String(piece))));
    this.child.stderr.on('data', piece => this.#take(() => (this.err += String(piece))));
  }

  /** Resolves once it has said something. */
  async observed(hasContent: () => boolean): Promise<void> {
    while (!hasContent()) await new Promise<void>(resolve => (this.#onWords = resolve));
  }

  freeSpace(): void {
    execFileSync('prlimit', ['--pid', String(this.child.pid), '--fsize=unlimited']);
  }

  async ended(): Promise<number | null> {
    const [exitCode] = (await once(this.child, 'close')) as [number | null];
    return exitCode;
  }

  #take(add: () => void): void {
    add();
    this.#onWords();
  }
}

/** What is said of a file that lost something, without how much. */
export function wordsOf(path: string): { begun: string; over: string; end: string } {
  const advice = 'check that the disk has space and that the file is writable';
  return {
    begun: `parley: The trace file ${path} cannot be written (EFBIG): new events are missing from it; ${advice}\n`,
    over: `parley: The trace file ${path} is written again; it misses N events\n`,
    end: `parley: The trace file ${path} misses N events (EFBIG); ${advice}\n`,
  };
}

export const withoutCounts = (text: string): string =>
  text.replaceAll(/misses \d+ events?/g, 'misses N events');
