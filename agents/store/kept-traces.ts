import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeadEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import type { SkeletonEvent } from '../../core/events/marks.ts';
import type { PayloadPiece } from '../../core/events/payload-pieces.ts';
import type { PayloadRoom } from '../../trace/payload-room.ts';
import type { CallNode, TraceTree } from '../../trace/fold/tree.ts';
import { sizeOf } from '../regular-file.ts';
import type { Room } from './event-sink.ts';
import { KeptFile } from './kept-file.ts';
import { TraceIndex } from './trace-index.ts';

const ENDING = '.agenttrace.jsonl';

/** How the name of a file ends that a process writes. */
const OWNER = /\.(\d+)\.agenttrace\.jsonl$/;

/** So many bytes may wait to be written before what passes is held back. */
const MOST_WAITING = 2 ** 27;

/** Files beyond this many bytes are followed by another one, so that the oldest can go. */
const PER_FILE = 64 * 2 ** 20;

const NONE: ReadonlySet<string> = new Set();

/** Where the files are and who writes them, our name with its version. */
export interface KeptPlace {
  readonly folder: string;
  readonly producer: string;
}

/** How much is kept, and what stays whatever comes. */
interface KeepLimits {
  /** Traces of earlier windows. */
  readonly traces: number;
  /** Bytes of all files together. */
  readonly bytes: number;
  /** Bytes after which another file is begun. */
  readonly perFile?: number;
  /** Calls whose traces stay. */
  readonly pinned: readonly string[];
}

/** Takes what earlier windows kept. */
interface KeptReader {
  take(event: SkeletonEvent): void;
  /** True where as many traces were taken as are kept: files that are older go. */
  isFull(): boolean;
}

/**
 * The traces of a window, kept in files of one folder. A file belongs to the process in its name while that runs: nobody
 * else reads, changes or deletes it until then. All events of a call stand in one file. Nothing throws or rejects.
 */
export class KeptTraces implements Room {
  readonly #place: KeptPlace;
  readonly #limits: () => KeepLimits;
  readonly #now: () => number;
  readonly #mostWaiting: number;
  readonly #problems = new Set<string>();
  /** What was told last of each file that lost something, by its path. */
  readonly #losses = new Map<string, string>();
  #onNote = (): void => undefined;
  /** Where each call stands. */
  readonly #files = new Map<string, KeptFile>();
  /** Those of this window, the oldest first. */
  #own: KeptFile[] = [];
  /** Those of earlier windows that were read, by their paths. */
  readonly #loaded = new Map<string, KeptFile>();
  #doomed = new Map<KeptFile, Set<string>>();
  /** One at a time changes the folder. */
  #work: Promise<void> = Promise.resolve();
  #count = 0;

  constructor(
    place: KeptPlace,
    limits: () => KeepLimits,
    now: () => number = Date.now,
    mostWaiting = MOST_WAITING,
  ) {
    this.#place = place;
    this.#limits = limits;
    this.#now = now;
    this.#mostWaiting = mostWaiting;
  }

  get mostTraces(): number {
    return this.#limits().traces;
  }

  /** What could not be kept, read or deleted, and why. */
  get notes(): readonly string[] {
    return [...this.#losses.values(), ...this.#problems];
  }

  /** Has somebody hear when the notes change. */
  onNote(listener: () => void): void {
    this.#onNote = listener;
  }

  /** Keeps an event. Those of a call that is not kept, or no longer, are passed over. */
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
    return waiting > this.#mostWaiting || this.#own.some(file => file.isFull);
  }

  whenFree(act: () => void): void {
    if (this.isFull) void this.settled().then(() => this.whenFree(act));
    else act();
  }

  /** Resolves once all that was taken until now is on disk, or cannot be. */
  async settled(): Promise<void> {
    await Promise.all(this.#own.map(file => file.flush()));
  }

  /** Reads what earlier windows kept, the newest file first; what is more than is kept goes. */
  load(reader: KeptReader): Promise<void> {
    return this.#enqueue(async () => {
      for (const path of await this.#listFree()) {
        const file = new KeptFile(path, this.#place.producer);
        if (reader.isFull() && !(await this.#prune(file))) continue;
        this.#loaded.set(path, file);
        await this.#read(file, reader);
      }
    });
  }

  /** What was on the wire of a call, in order, as far as there is room; none where it is not kept. */
  async payload(call: string, room?: PayloadRoom): Promise<readonly (HeadEvent | WireEvent)[]> {
    await this.#work;
    const file = this.#files.get(call);
    return file ? file.payload(call, room) : [];
  }

  /** What was on the wire of calls, file by file. */
  async *payloads(calls: readonly string[]): AsyncGenerator<PayloadPiece, void> {
    await this.#work;
    const byFile = new Map<KeptFile | undefined, string[]>();
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

  /** Deletes calls, with what was on the wire. */
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

  /** Deletes all but some calls and what is pinned, those of earlier windows too. */
  clear(kept: ReadonlySet<string> = NONE): Promise<void> {
    if (kept.size > 0 || this.#limits().pinned.length > 0) return this.#clearOthers(kept);
    const own = this.#own;
    this.#own = [];
    this.#files.clear();
    this.#doomed.clear();
    return this.#enqueue(async () => {
      for (const file of own) this.#tell(await file.delete());
      for (const path of await this.#listFree())
        this.#tell(await new KeptFile(path, this.#place.producer).delete());
    });
  }

  /** Files that were not read hold what nobody knows of but for what is pinned. */
  #clearOthers(kept: ReadonlySet<string>): Promise<void> {
    this.forget([...this.#files.keys()].filter(call => !kept.has(call)));
    return this.#enqueue(async () => {
      for (const path of await this.#listFree())
        if (!this.#loaded.has(path)) await this.#prune(new KeptFile(path, this.#place.producer));
    });
  }

  /** Writes what waits and closes the files: they belong to nobody then. */
  async close(): Promise<void> {
    await this.#work;
    for (const file of this.#own) await file.close();
    for (const { path } of this.#own.splice(0)) {
      const free = path.replace(OWNER, ENDING);
      // The file of a window that crashed is free when its process is gone; so is one that cannot be named anew.
      await rename(path, free).catch(() => undefined);
    }
  }

  #current(): KeptFile {
    const newest = this.#own.at(-1);
    if (newest && newest.size < (this.#limits().perFile ?? PER_FILE)) return newest;
    const name = `${new Date(this.#now()).toISOString().replaceAll(':', '-')}-${this.#count++}.${process.pid}${ENDING}`;
    const path = join(this.#place.folder, name);
    const file = new KeptFile(path, this.#place.producer, message => {
      this.#losses.set(path, message);
      this.#onNote();
    });
    file.create();
    this.#own.push(file);
    void this.#enqueue(() => this.#removeOldest());
    return file;
  }

  async #read(file: KeptFile, reader: KeptReader): Promise<void> {
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
    // All that was in it was deleted while it was written.
    if (isEmpty && notes.length === 0) this.#tell(await file.delete());
    for (const note of notes) this.#tell(`${file.path}: ${note}`);
  }

  /** Deletes the oldest files while all together are too large; those that are written stay. */
  async #removeOldest(): Promise<void> {
    await Promise.all(this.#own.map(file => file.flush()));
    const written = this.#own.filter((file, at) => at === this.#own.length - 1 || file.open.size > 0);
    const stay = new Set(written.map(file => file.path));
    let size = 0;
    for (const path of await this.#list()) {
      size += await sizeOf(path);
      if (size <= this.#limits().bytes || stay.has(path) || this.#isOfAnother(path)) continue;
      const known = this.#own.find(file => file.path === path) ?? this.#loaded.get(path);
      await this.#prune(known ?? new KeptFile(path, this.#place.producer));
    }
  }

  /** Deletes a file but for what is pinned. Answers whether anything stays. */
  async #prune(file: KeptFile): Promise<boolean> {
    const { pinned } = this.#limits();
    const index = new TraceIndex(file.path);
    if (pinned.length > 0) await index.readOn();
    const kept = new Set(pinned.flatMap(call => index.fold.treeOf(call) ?? []));
    const others = index.fold.trees().filter(tree => !kept.has(tree));
    const problem =
      kept.size === 0 ? await file.delete() : await file.remove(new Set(others.flatMap(listCalls)));
    this.#tell(problem);
    if (kept.size === 0) this.#own = this.#own.filter(own => own !== file);
    return kept.size > 0;
  }

  async #removeDoomed(): Promise<void> {
    const doomed = this.#doomed;
    this.#doomed = new Map();
    for (const [file, calls] of doomed) this.#tell(await file.remove(calls));
  }

  /** Files that no process writes, the newest first. */
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
      // Nothing was kept yet; a folder that cannot be read cannot be written either, which opening a file tells.
      return [];
    }
  }

  /** True where the file is one of another process that still runs. */
  #isOfAnother(path: string): boolean {
    const pid = Number(OWNER.exec(path)?.[1] ?? 0);
    return pid > 0 && pid !== process.pid && isRunning(pid);
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => this.#tell(String(error)));
    return this.#work;
  }

  #tell(problem: string | undefined): void {
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
    // It runs, as somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function listCalls({ roots }: TraceTree): readonly string[] {
  const calls: string[] = [];
  const open: CallNode[] = [...roots];
  for (let node = open.pop(); node; node = open.pop()) {
    calls.push(node.call.call);
    for (const child of node.children) open.push(child);
  }
  return calls;
}
