import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Sockets are looked for among the descriptors of at most so many processes. */
const MOST_PROCESSES = 5_000;

/** No process has more above it that count. */
const MOST_ABOVE = 16;

/** The states of a socket in the kernel's table. */
const ESTABLISHED = '01';
const LISTENING = '0A';

/**
 * Whose sockets they are, by the kernel's tables: on Linux alone, and of processes that this one may look at. Everywhere else
 * nothing is found. Work: a line a socket of this computer, which takes the kernel some milliseconds, and for a socket of a
 * process that was not met before, a look at each descriptor of all processes.
 */
export class SocketOwners {
  readonly #folder: string;
  /** Processes that were met, the latest last: those that call once call again. */
  readonly #met = new Set<number>();

  /** `folder` is where the kernel tells of itself. */
  constructor(folder = '/proc') {
    this.#folder = folder;
  }

  /** The process that has a connection from one port of this computer to another, and those above it, the nearest first. */
  findCaller(from: number, to: number): readonly number[] {
    const [inode] = this.#findInodes(ESTABLISHED, from, to);
    const process = inode === undefined ? undefined : this.#findProcess(inode);
    return process === undefined ? [] : this.#listAbove(process);
  }

  /** The processes that listen at a port: several where one began the others. */
  findListeners(port: number): readonly number[] {
    const wanted = new Set(this.#findInodes(LISTENING, port).map(nameOf));
    return wanted.size === 0 ? [] : this.#listProcesses().filter(process => this.#hasSocket(process, wanted));
  }

  /** A socket that may take both kinds of addresses stands in the second table: it is read where the first one has none. */
  #findInodes(state: string, port: number, other?: number): readonly string[] {
    const end = other === undefined ? '[0-9A-F]{4}' : hexOf(other);
    const line = `[0-9A-F]+:${hexOf(port)} [0-9A-F]+:${end} ${state} `;
    const place = new RegExp(String.raw`^ *\d+: ${line}\S+ \S+ \S+ +\d+ +\d+ (\d+)`, 'gm');
    for (const name of ['net/tcp', 'net/tcp6']) {
      const found = [...this.#read(name).matchAll(place)].map(([, inode = '']) => inode);
      if (found.length > 0) return found;
    }
    return [];
  }

  #findProcess(inode: string): number | undefined {
    const wanted = new Set([nameOf(inode)]);
    const met = [...this.#met].reverse();
    const found =
      met.find(process => this.#hasSocket(process, wanted)) ??
      this.#listProcesses().find(process => !this.#met.has(process) && this.#hasSocket(process, wanted));
    if (found === undefined) return undefined;
    this.#met.delete(found);
    this.#met.add(found);
    const [oldest] = this.#met;
    if (this.#met.size > MOST_MET && oldest !== undefined) this.#met.delete(oldest);
    return found;
  }

  #listAbove(process: number): readonly number[] {
    const found = [process];
    for (let at = process; found.length < MOST_ABOVE;) {
      // The name of its program, in brackets, may hold anything.
      const above = Number(/^\S+ \(.*\) \S (\d+)/s.exec(this.#read(`${at}/stat`))?.[1] ?? 0);
      if (above <= 1 || found.includes(above)) break;
      found.push(above);
      at = above;
    }
    return found;
  }

  /** The program that a process runs, without its folder; undefined where that is not told. */
  nameOf(process: number): string | undefined {
    const [command = ''] = this.#read(`${process}/cmdline`).split('\0');
    return basename(command) || undefined;
  }

  #listProcesses(): readonly number[] {
    return this.#list('')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
      .sort((one, other) => other - one)
      .slice(0, MOST_PROCESSES);
  }

  #hasSocket(process: number, wanted: ReadonlySet<string>): boolean {
    return this.#list(`${process}/fd`).some(name => {
      try {
        return wanted.has(readlinkSync(`${this.#folder}/${process}/fd/${name}`));
      } catch {
        // It was closed meanwhile.
        return false;
      }
    });
  }

  #list(name: string): readonly string[] {
    try {
      return readdirSync(`${this.#folder}/${name}`);
    } catch {
      // It ended meanwhile, or is somebody else's.
      return [];
    }
  }

  #read(name: string): string {
    try {
      return readFileSync(`${this.#folder}/${name}`, 'latin1');
    } catch {
      return '';
    }
  }
}

const MOST_MET = 32;

function nameOf(inode: string): string {
  return `socket:[${inode}]`;
}

function hexOf(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
