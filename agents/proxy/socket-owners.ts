import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The maximum number of processes whose descriptors are searched for a socket. */
const MAX_PROCESSES = 5_000;

/** The maximum length of a chain of a process and its parents. */
const MAX_ABOVE = 16;

/** The states of a socket in the kernel's table. */
const ESTABLISHED = '01';
const LISTENING = '0A';

/**
 * Finds the processes that own sockets, by the kernel's tables: only on Linux, and only for processes that this one may
 * inspect. Elsewhere nothing is found. A search reads one line per socket of this computer, which takes the kernel some
 * milliseconds, and the descriptors of all processes if the owner was not found before.
 */
export class SocketOwners {
  readonly #folder: string;
  /** Processes that were found before, the latest last: they often call again. */
  readonly #met = new Set<number>();

  /** `folder` is where the kernel describes its processes. */
  constructor(folder = '/proc') {
    this.#folder = folder;
  }

  /**
   * The process that owns a connection from one port of this computer to another, then its parents, the
   * nearest first.
   */
  findCaller(from: number, to: number): readonly number[] {
    const [inode] = this.#findInodes(ESTABLISHED, from, to);
    const process = inode === undefined ? undefined : this.#findProcess(inode);
    return process === undefined ? [] : this.#listAbove(process);
  }

  /** The processes that listen at a port: several if one started the others. */
  findListeners(port: number): readonly number[] {
    const wanted = new Set(this.#findInodes(LISTENING, port).map(nameOf));
    return wanted.size === 0 ? [] : this.#listProcesses().filter(process => this.#hasSocket(process, wanted));
  }

  /** A socket for both kinds of addresses is in the second table, which is read if the first one has none. */
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
    if (this.#met.size > MAX_MET && oldest !== undefined) this.#met.delete(oldest);
    return found;
  }

  #listAbove(process: number): readonly number[] {
    const found = [process];
    for (let at = process; found.length < MAX_ABOVE;) {
      // The name of the program, in brackets, may contain any characters.
      const above = Number(/^\S+ \(.*\) \S (\d+)/s.exec(this.#read(`${at}/stat`))?.[1] ?? 0);
      if (above <= 1 || found.includes(above)) break;
      found.push(above);
      at = above;
    }
    return found;
  }

  /** The program that a process runs, without its folder; undefined if it is unknown. */
  nameOf(process: number): string | undefined {
    const [command = ''] = this.#read(`${process}/cmdline`).split('\0');
    return basename(command) || undefined;
  }

  #listProcesses(): readonly number[] {
    return this.#list('')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
      .sort((one, other) => other - one)
      .slice(0, MAX_PROCESSES);
  }

  #hasSocket(process: number, wanted: ReadonlySet<string>): boolean {
    return this.#list(`${process}/fd`).some(name => {
      try {
        return wanted.has(readlinkSync(`${this.#folder}/${process}/fd/${name}`));
      } catch {
        // The descriptor was closed meanwhile.
        return false;
      }
    });
  }

  #list(name: string): readonly string[] {
    try {
      return readdirSync(`${this.#folder}/${name}`);
    } catch {
      // The process ended meanwhile, or belongs to another user.
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

const MAX_MET = 32;

function nameOf(inode: string): string {
  return `socket:[${inode}]`;
}

function hexOf(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
