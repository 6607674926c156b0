import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HeadEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { printTraceHeader } from '../../trace/file.ts';
import { type SkeletonEvent, type PayloadPiece, storedLength } from '../../core/events/payload.ts';
import type { PayloadLimiter } from '../../trace/payload-limiter.ts';
import type { Notify } from './missing-events.ts';
import { openTraceFile, type OpenedTraceFile, type TraceFileWriter } from './trace-file.ts';
import { TraceIndex } from './trace-index.ts';

/** The approximate number of bytes of an event in a file, without its payload. */
const REST_OF_EVENT = 200;

/** One of the files with stored traces. It may be written and read at the same time. */
export class StoredFile {
  readonly path: string;
  readonly #producer: string;
  readonly #notify: Notify;
  /** Calls that began in this file and have not ended. */
  readonly open = new Set<string>();
  /** The approximate number of bytes that were written to it. */
  size = 0;
  #opened: Promise<OpenedTraceFile> | undefined;
  #writer: TraceFileWriter | undefined;
  /** The approximate number of bytes that were received while it was being opened. */
  #beforeOpen = 0;
  #index: TraceIndex | undefined;

  /** `notify` is called at once when events are lost, and when they no longer are. */
  constructor(path: string, producer: string, notify: Notify = () => undefined) {
    this.path = path;
    this.#producer = producer;
    this.#notify = notify;
  }

  /** Opens it for writing. */
  create(): void {
    this.#opened = mkdir(dirname(this.path), { recursive: true }).then(
      () => this.#open(),
      () => this.#open(),
    );
  }

  async #open(): Promise<OpenedTraceFile> {
    const opened = await openTraceFile(this.path, this.#producer, { notify: this.#notify });
    if (opened.ok) this.#writer = opened.file;
    else this.#notify(describeUnopened(this.path));
    return opened;
  }

  /** Writes an event. Never throws. */
  write(event: TraceEvent): void {
    if (event.type === 'call') this.open.add(event.call);
    if (event.type === 'end') this.open.delete(event.call);
    const size = REST_OF_EVENT + payloadOf(event);
    this.size += size;
    const opened = this.#opened;
    if (!opened) return;
    this.#beforeOpen += size;
    void opened.then(file => {
      this.#beforeOpen -= size;
      if (file.ok) file.file.write(event);
    });
  }

  /** The approximate number of bytes that wait to be written. */
  get waiting(): number {
    return this.#beforeOpen + (this.#writer?.waiting ?? 0);
  }

  /** True while too much waits to be written, or something waits too long. */
  get isFull(): boolean {
    return this.#writer?.isFull === true;
  }

  /** Resolves when everything received so far is in the file, as far as that is possible. */
  async flush(): Promise<void> {
    const opened = await this.#opened;
    if (opened?.ok) await opened.file.flush();
  }

  /** Reads the whole file for the first time. Returns notes on what was left out. */
  async read(onEvent: (event: SkeletonEvent) => void): Promise<readonly string[]> {
    this.#index = new TraceIndex(this.path, { take: onEvent });
    const read = await this.#index.readOn();
    return read.ok ? this.#index.notes : [read.message];
  }

  /** The payload of a call, in order, as far as `limiter` allows; empty if it can no longer be read. */
  async payload(call: string, limiter?: PayloadLimiter): Promise<readonly (HeadEvent | WireEvent)[]> {
    return (await this.#readIndex()).payload(call, limiter);
  }

  /** The payloads of calls, in one pass through the file; empty once it cannot be read. */
  async *payloads(calls: readonly string[]): AsyncGenerator<PayloadPiece, void> {
    yield* (await this.#readIndex()).payloads(calls);
  }

  /** The index of everything that was written until now. */
  async #readIndex(): Promise<TraceIndex> {
    if (this.#opened || !this.#index) {
      await this.flush();
      this.#index ??= new TraceIndex(this.path, { take: () => undefined });
      await this.#index.readOn();
    }
    return this.#index;
  }

  /**
   * Removes calls from the file; what is written meanwhile is appended afterwards. The file is deleted if
   * nothing is left. Returns why the calls are still in it; undefined if they are not.
   */
  async remove(calls: ReadonlySet<string>): Promise<string | undefined> {
    const before = this.#opened;
    const removed = this.#rewrite(before, calls);
    if (before) this.#opened = removed.then(() => this.#open());
    const problem = await removed;
    this.#index = undefined;
    return problem;
  }

  async close(): Promise<void> {
    const opened = await this.#opened;
    this.#opened = undefined;
    if (opened?.ok) await opened.file.close();
  }

  /** Deletes the file. Returns why it cannot be deleted. */
  async delete(): Promise<string | undefined> {
    await this.close();
    try {
      // A rewrite that was interrupted may have left another file beside it.
      await Promise.all([this.path, besideOf(this.path)].map(path => rm(path, { force: true })));
      return undefined;
    } catch {
      return `The trace file ${this.path} cannot be deleted; delete it by hand`;
    }
  }

  async #rewrite(
    before: Promise<OpenedTraceFile> | undefined,
    calls: ReadonlySet<string>,
  ): Promise<string | undefined> {
    const opened = await before;
    if (opened?.ok) await opened.file.close();
    const beside = besideOf(this.path);
    try {
      await stat(this.path);
      if (await copyWithout(this.path, beside, calls, this.#producer)) await rename(beside, this.path);
      else await Promise.all([this.path, beside].map(path => rm(path, { force: true })));
      return undefined;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      return `Traces that were deleted are still in the file ${this.path}, which cannot be written; delete it by hand`;
    }
  }
}

/** Copies a file without some calls, piece by piece. Returns whether any event is left. */
async function copyWithout(
  from: string,
  to: string,
  calls: ReadonlySet<string>,
  producer: string,
): Promise<boolean> {
  let stays = false;
  const file = openSync(to, 'w');
  try {
    writeSync(file, printTraceHeader(producer));
    const index = new TraceIndex(from, {
      take(event, line) {
        if (calls.has(event.call)) return;
        stays = true;
        writeWhole(file, line);
        writeWhole(file, LINE_END);
      },
    });
    const read = await index.readOn();
    if (!read.ok) throw new Error(read.message);
  } finally {
    closeSync(file);
  }
  return stays;
}

function describeUnopened(path: string): string {
  return `Traces are lost when this window closes: ${path} cannot be written; check that its folder is writable`;
}

function besideOf(path: string): string {
  return `${path}.new`;
}

const LINE_END = Buffer.from('\n');

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

function payloadOf(event: TraceEvent): number {
  return event.type === 'wire' ? storedLength(event) : 0;
}
