import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeadEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import type { SkeletonEvent, PayloadPiece } from '../../core/events/payload.ts';
import type { PayloadLimiter } from '../../trace/payload-limiter.ts';
import { walkCalls } from '../../trace/export/source.ts';
import { sizeOf } from '../regular-file.ts';
import type { Capacity } from './trace-file.ts';
import { StoredFile } from './stored-file.ts';
import { TraceIndex } from './trace-index.ts';
import { readUnpacked } from './unpacked-payload.ts';

const ENDING = '.agenttrace.jsonl';

/** The end of the name of a file that a process writes. */
const OWNER = /\.(\d+)\.agenttrace\.jsonl$/;

/** The maximum number of bytes that may wait to be written before traffic is held back. */
const MAX_WAITING = 2 ** 27;

/** The number of bytes after which another file is begun, so that the oldest can be deleted. */
const PER_FILE = 64 * 2 ** 20;

const NONE: ReadonlySet<string> = new Set();

/** The folder of the files, and the program that writes them: our name and version. */
export interface StoreLocation {
  readonly folder: string;
  readonly producer: string;
}

/** How much is retained, and what is never deleted. */
interface KeepLimits {
  /** The maximum number of traces of earlier windows. */
  readonly traces: number;
  /** The maximum number of bytes of all files together. */
  readonly bytes: number;
  /** The number of bytes after which another file is begun. */
  readonly perFile?: number;
  /** Calls whose traces are never deleted. */
  readonly pinned: readonly string[];
}

/** Receives the traces of earlier windows. */
interface StoredTraceReader {
  take(event: SkeletonEvent): void;
  /** True once it has as many traces as are retained: older files are deleted. */
  isFull(): boolean;
}

/**
 * The traces of a window, stored in files of one folder. A file belongs to the process in its name while that
 * runs: no other process reads, changes or deletes it until then. All events of a call are in one file. No
 * method throws or rejects.
 */
export class StoredTraces implements Capacity {
  readonly #place: StoreLocation;
  readonly #limits: () => KeepLimits;
  readonly #now: () => number;
  readonly #maxWaiting: number;
  readonly #problems = new Set<string>();
  /** The last message about each file that lost events, by its path. */
  readonly #losses = new Map<string, string>();
  #onNote = (): void => undefined;
  /** The file of each call. */
  readonly #files = new Map<string, StoredFile>();
  /** The files of this window, the oldest first. */
  #own: StoredFile[] = [];
  /** The files of earlier windows that were read, by their paths. */
  readonly #loaded = new Map<string, StoredFile>();
  #doomed = new Map<StoredFile, Set<string>>();
  /** Changes to the folder are made one at a time. */
  #work: Promise<void> = Promise.resolve();
  #count = 0;

  constructor(
    place: StoreLocation,
    limits: () => KeepLimits,
    now: () => number = Date.now,
    maxWaiting = MAX_WAITING,
  ) {
    this.#place = place;
    this.#limits = limits;
    this.#now = now;
    this.#maxWaiting = maxWaiting;
  }

  get maxTraces(): number {
    return this.#limits().traces;
  }

  /** What could not be stored, read or deleted, and why. */
  get notes(): readonly string[] {
    return [...this.#losses.values(), ...this.#problems];
  }

  /** Sets what is called when the notes change. */
  onNote(listener: () => void): void {
    this.#onNote = listener;
  }

  /** Stores an event. Events of calls that are not stored, or no longer are, are ignored. */
  write(event: TraceEvent): void {
    const known = this.#files.get(event.call);
    if (known && this.#own.includes(known)) known.write(event);
    else if (event.type === 'call') {
      const file = this.#current();
      this.#files.set(event.call, file);
      file.write(event);
    }
  }

  get isFull(): boolean {
    const waiting = this.#own.reduce((sum, file) => sum + file.waiting, 0);
    return waiting > this.#maxWaiting || this.#own.some(file => file.isFull);
  }

  whenFree(act: () => void): void {
    if (this.isFull) void this.settled().then(() => this.whenFree(act));
    else act();
  }

  /** Resolves when everything received so far is on disk, or cannot be written. */
  async settled(): Promise<void> {
    await Promise.all(this.#own.map(file => file.flush()));
  }

  /** Reads the traces of earlier windows, the newest file first, and deletes what exceeds the limit. */
  load(reader: StoredTraceReader): Promise<void> {
    return this.#enqueue(async () => {
      for (const path of await this.#listFree()) {
        const file = new StoredFile(path, this.#place.producer);
        if (reader.isFull() && !(await this.#prune(file))) continue;
        this.#loaded.set(path, file);
        await this.#read(file, reader);
      }
    });
  }

  /** The payload of a call, in order, as far as `limiter` allows; empty if it is not stored. */
  async payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]> {
    await this.#work;
    const file = this.#files.get(call);
    return file ? file.payload(call, limiter) : [];
  }

  /** The payloads of calls, file by file. */
  async *payloads(calls: readonly string[]): AsyncGenerator<PayloadPiece, void> {
    await this.#work;
    const byFile = new Map<StoredFile | undefined, string[]>();
    for (const call of calls) {
      const file = this.#files.get(call);
      const list = byFile.get(file);
      if (list) list.push(call);
      else byFile.set(file, [call]);
    }
    for (const [file, list] of byFile)
      if (file) yield* file.payloads(list);
      else for (const call of list) yield { call, events: [], isLast: true };
  }

  /** A payload with the content of compressed bytes, as far as `limiter` allows. */
  readonly unpack = readUnpacked;

  /** Deletes calls with their payloads. */
  forget(calls: readonly string[]): void {
    for (const call of calls) {
      const file = this.#files.get(call);
      this.#files.delete(call);
      if (!file) continue;
      file.open.delete(call);
      const doomed = this.#doomed.get(file);
      if (doomed) doomed.add(call);
      else this.#doomed.set(file, new Set([call]));
    }
    if (this.#doomed.size > 0) void this.#enqueue(() => this.#removeDoomed());
  }

  /** Deletes all calls, including those of earlier windows, except some and the pinned ones. */
  clear(stored: ReadonlySet<string> = NONE): Promise<void> {
    if (stored.size > 0 || this.#limits().pinned.length > 0) return this.#clearOthers(stored);
    const own = this.#own;
    this.#own = [];
    this.#files.clear();
    this.#doomed.clear();
    return this.#enqueue(async () => {
      for (const file of own) this.#report(await file.delete());
      for (const path of await this.#listFree())
        this.#report(await new StoredFile(path, this.#place.producer).delete());
    });
  }

  /** Deletes all calls except some. In files that were not read, only pinned calls stay. */
  #clearOthers(stored: ReadonlySet<string>): Promise<void> {
    this.forget([...this.#files.keys()].filter(call => !stored.has(call)));
    return this.#enqueue(async () => {
      for (const path of await this.#listFree())
        if (!this.#loaded.has(path)) await this.#prune(new StoredFile(path, this.#place.producer));
    });
  }

  /** Writes what waits and closes the files, which then belong to no process. */
  async close(): Promise<void> {
    await this.#work;
    for (const file of this.#own) await file.close();
    for (const { path } of this.#own.splice(0)) {
      const free = path.replace(OWNER, ENDING);
      // The file of a crashed window is free when its process has ended; so is one that cannot be renamed.
      await rename(path, free).catch(() => undefined);
    }
  }

  #current(): StoredFile {
    const newest = this.#own.at(-1);
    if (newest && newest.size < (this.#limits().perFile ?? PER_FILE)) return newest;
    const name = `${new Date(this.#now()).toISOString().replaceAll(':', '-')}-${this.#count++}.${process.pid}${ENDING}`;
    const path = join(this.#place.folder, name);
    const file = new StoredFile(path, this.#place.producer, message => {
      this.#losses.set(path, message);
      this.#onNote();
    });
    file.create();
    this.#own.push(file);
    void this.#enqueue(() => this.#removeOldest());
    return file;
  }

  async #read(file: StoredFile, reader: StoredTraceReader): Promise<void> {
    const open = new Map<string, number>();
    let isEmpty = true;
    const notes = await file.read(event => {
      isEmpty = false;
      if (event.type === 'call') {
        open.set(event.call, event.at);
        this.#files.set(event.call, file);
      } else if (event.type === 'end') open.delete(event.call);
      else if (open.has(event.call)) open.set(event.call, event.at);
      reader.take(event);
    });
    for (const [call, at] of open) {
      const message = 'The window was closed before the call ended';
      reader.take({ type: 'end', call, at, status: 'incomplete', message });
    }
    // Everything in it was deleted while it was being written.
    if (isEmpty && notes.length === 0) this.#report(await file.delete());
    for (const note of notes) this.#report(`${file.path}: ${note}`);
  }

  /** Deletes the oldest files while all files together are too large, except those that are being written. */
  async #removeOldest(): Promise<void> {
    await Promise.all(this.#own.map(file => file.flush()));
    const written = this.#own.filter((file, at) => at === this.#own.length - 1 || file.open.size > 0);
    const stay = new Set(written.map(file => file.path));
    let size = 0;
    for (const path of await this.#list()) {
      size += await sizeOf(path);
      if (size <= this.#limits().bytes || stay.has(path) || this.#isOfAnother(path)) continue;
      const known = this.#own.find(file => file.path === path) ?? this.#loaded.get(path);
      await this.#prune(known ?? new StoredFile(path, this.#place.producer));
    }
  }

  /** Deletes a file except for what is pinned. Returns whether anything is left. */
  async #prune(file: StoredFile): Promise<boolean> {
    const { pinned } = this.#limits();
    const index = new TraceIndex(file.path);
    if (pinned.length > 0) await index.readOn();
    const stored = new Set(pinned.flatMap(call => index.fold.treeOf(call) ?? []));
    const others = index.fold.trees().filter(tree => !stored.has(tree));
    const problem =
      stored.size === 0
        ? await file.delete()
        : await file.remove(new Set(Array.from(walkCalls(others), ({ call }) => call.call)));
    this.#report(problem);
    if (stored.size === 0) this.#own = this.#own.filter(own => own !== file);
    return stored.size > 0;
  }

  async #removeDoomed(): Promise<void> {
    const doomed = this.#doomed;
    this.#doomed = new Map();
    for (const [file, calls] of doomed) this.#report(await file.remove(calls));
  }

  /** The files that no process is writing, the newest first. */
  async #listFree(): Promise<readonly string[]> {
    const own = new Set(this.#own.map(file => file.path));
    return (await this.#list()).filter(path => !own.has(path) && !this.#isOfAnother(path));
  }

  /** All files, the newest first. */
  async #list(): Promise<readonly string[]> {
    const { folder } = this.#place;
    try {
      const names = (await readdir(folder)).filter(name => name.endsWith(ENDING));
      return names
        .sort()
        .reverse()
        .map(name => join(folder, name));
    } catch {
      // Nothing was stored yet. A folder that cannot be read cannot be written either, which opening a file reports.
      return [];
    }
  }

  /** True if the file belongs to another process that still runs. */
  #isOfAnother(path: string): boolean {
    const pid = Number(OWNER.exec(path)?.[1] ?? 0);
    return pid > 0 && pid !== process.pid && isRunning(pid);
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => this.#report(String(error)));
    return this.#work;
  }

  #report(problem: string | undefined): void {
    if (problem === undefined) return;
    this.#problems.add(problem);
    this.#onNote();
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
