import { open, type FileHandle } from 'node:fs/promises';
import { quote } from '../../core/text/quote.ts';
import type { TraceEvent } from '../../core/events/events.ts';
import { checkTraceHeader, printTraceEvent, printTraceHeader } from '../../trace/file.ts';
import { LinePages } from './line-pages.ts';
import { MissingEvents, type Notify } from './missing-events.ts';

/** Something with a limited capacity that may be full for a while. */
export interface Capacity {
  /** True while too much waits: what can be held back should be. */
  readonly isFull: boolean;
  /** Calls `act` once this is not full, at once if it is not full now. */
  whenFree(act: () => void): void;
}

/** Unlimited capacity. */
export const NO_LIMIT: Capacity = {
  isFull: false,
  whenFree(act) {
    act();
  },
};

/** The destination of a recording's events. */
export interface EventSink extends Capacity {
  /** Writes an event. Never throws. */
  write(event: TraceEvent): void;
  /** Writes what waits, and ends. Returns why events are missing; undefined if none are. */
  close(): Promise<string | undefined>;
}

/** Milliseconds that an event may wait to be written: it is in the file within a second. */
const FLUSH_AFTER = 100;

/** The maximum number of bytes that may wait to be written before the file counts as full. */
const MAX_WAITING = 2 ** 27;

/**
 * The file also counts as full while this many bytes wait and the first of them for this many milliseconds:
 * they would be lost with this process.
 */
const LEAST_LATE = 2 ** 18;
const LONGEST_WAIT = 300;

const LINE_END = 0x0a;

/** How a trace file is written. */
export interface TraceFileOptions {
  /** The maximum number of bytes that may wait to be written before the file counts as full. */
  readonly maxWaiting?: number;
  /** Called at once when events begin to be lost, for example on a full disk, and when they no longer are. */
  readonly notify?: Notify;
}

export type OpenedTraceFile =
  | { readonly ok: true; readonly file: TraceFileWriter }
  | { readonly ok: false; readonly message: string };

/**
 * Opens a trace file for appending and writes its first line if it is new. An existing file is continued if it is a
 * trace file of our version; an incomplete last line is ended first. `producer` is our name and version.
 */
export async function openTraceFile(
  path: string,
  producer: string,
  options: TraceFileOptions = {},
): Promise<OpenedTraceFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'a+');
    const start = await prepare(handle, producer);
    if (start.ok) return { ok: true, file: new TraceFileWriter(handle, path, options) };
    await handle.close();
    return {
      ok: false,
      message: `${quote(path)} cannot take the trace; choose another file. ${start.message}`,
    };
  } catch (error) {
    await handle?.close();
    return {
      ok: false,
      message: `${quote(path)} cannot be written (${describe(error)}); choose another file`,
    };
  }
}

type Preparation = { readonly ok: true } | { readonly ok: false; readonly message: string };

async function prepare(handle: FileHandle, producer: string): Promise<Preparation> {
  const { size } = await handle.stat();
  if (size === 0) {
    await handle.appendFile(printTraceHeader(producer));
    return { ok: true };
  }
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
  const firstLine = buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '';
  const message = checkTraceHeader(firstLine);
  if (message !== undefined) return { ok: false, message };
  const last = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  if (last.buffer[0] !== LINE_END) await handle.appendFile('\n');
  return { ok: true };
}

/** Appends events to a trace file. Every event is in the file within a second; `close` writes the rest. */
export class TraceFileWriter implements EventSink {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #pages = new LinePages();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  readonly #missing: MissingEvents;
  /** True if the file ends within a line. */
  #isTorn = false;
  readonly #maxWaiting: number;
  #waiting = 0;
  /** The time since when each page has been waiting. */
  readonly #waitingSince: number[] = [];
  #held = new Set<() => void>();

  constructor(handle: FileHandle, path: string, { maxWaiting, notify: report }: TraceFileOptions) {
    this.#handle = handle;
    this.path = path;
    this.#maxWaiting = maxWaiting ?? MAX_WAITING;
    this.#missing = new MissingEvents(path, report ?? (() => undefined));
  }

  /** The number of bytes that wait to be written. */
  get waiting(): number {
    return this.#waiting;
  }

  get isFull(): boolean {
    if (this.#waiting > this.#maxWaiting) return true;
    const [oldest = Infinity] = this.#waitingSince;
    return this.#waiting >= LEAST_LATE && performance.now() - oldest > LONGEST_WAIT;
  }

  whenFree(act: () => void): void {
    if (this.isFull) this.#held.add(act);
    else act();
  }

  /** Writes an event. Never throws; failures are reported when they occur, and by `close`. */
  write(event: TraceEvent): void {
    this.#append(this.#pages.add(printTraceEvent(event)));
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER);
  }

  /** Writes what waits. Returns why events are missing from the file; undefined if none are. */
  async flush(): Promise<string | undefined> {
    this.#flush();
    await this.#writing;
    return this.#missing.describe();
  }

  /** Writes what waits and closes the file. Returns why events are missing from it; undefined if none are. */
  async close(): Promise<string | undefined> {
    await this.flush();
    await this.#handle.close();
    return this.#missing.describe();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#append(this.#pages.take());
  }

  #append(pages: readonly Buffer[]): void {
    for (const page of pages) {
      this.#waiting += page.length;
      this.#waitingSince.push(performance.now());
      this.#writing = this.#writing.then(() => this.#write(page));
    }
  }

  async #write(page: Buffer): Promise<void> {
    let written = 0;
    try {
      // The rest of a line that could not be written is lost, but nothing else.
      if (this.#isTorn) await this.#handle.write('\n');
      this.#isTorn = false;
      // In one piece: `appendFile` splits long data, and another process that appends may write between the pieces.
      while (written < page.length) written += (await this.#handle.write(page, written)).bytesWritten;
      this.#missing.written();
    } catch (error) {
      if (written > 0) this.#isTorn = page[written - 1] !== LINE_END;
      this.#missing.lost(countLost(page, written), describe(error));
    }
    this.#waiting -= page.length;
    this.#waitingSince.shift();
    this.#pages.giveBack(page);
    if (this.isFull) return;
    const held = [...this.#held];
    this.#held.clear();
    for (const act of held) act();
  }
}

/**
 * The number of lines of a page that are not in the file, which has `written` bytes of it. A line that lacks
 * only its end gets it later.
 */
function countLost(page: Buffer, written: number): number {
  let count = 0;
  const from = written > 0 && page[written] === LINE_END ? written + 1 : written;
  for (let at = page.indexOf(LINE_END, from); at >= 0; at = page.indexOf(LINE_END, at + 1)) count++;
  return count;
}

function describe(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
