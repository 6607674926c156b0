import { open, type FileHandle } from 'node:fs/promises';
import { quote } from '../../../protocol/src/text/quote.ts';
import type { TraceEvent } from '../../../protocol/src/trace/events.ts';
import { checkTraceHeader, printTraceEvent, printTraceHeader } from '../../../protocol/src/trace/file.ts';
import type { EventSink } from './event-sink.ts';
import { LinePages } from './line-pages.ts';

/** How long an event may wait to be written, in milliseconds: it is in the file within a second. */
const FLUSH_AFTER = 100;

/** So many bytes may wait to be written before the file is full. */
const MOST_WAITING = 2 ** 27;

export type OpenedTraceFile =
  { readonly ok: true; readonly file: TraceFileWriter } | { readonly ok: false; readonly message: string };

/**
 * Opens a trace file for appending and writes its first line if it is new. A file that is there goes on if it is a
 * trace file of our version; a last line that was torn is closed first. `producer` is our name with its version; the file is
 * full while more than `mostWaiting` bytes wait to be written.
 */
export async function openTraceFile(
  path: string,
  producer: string,
  mostWaiting = MOST_WAITING,
): Promise<OpenedTraceFile> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'a+');
    const start = await prepare(handle, producer);
    if (start.ok) return { ok: true, file: new TraceFileWriter(handle, path, mostWaiting) };
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
  if (last.buffer[0] !== 0x0a) await handle.appendFile('\n');
  return { ok: true };
}

/** Appends events to a trace file. Every event is in the file within a second; `close` writes the rest. */
export class TraceFileWriter implements EventSink {
  readonly path: string;
  readonly #handle: FileHandle;
  readonly #pages = new LinePages();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failure: string | undefined;
  /** True where the file ends within a line. */
  #isTorn = false;
  readonly #mostWaiting: number;
  #waiting = 0;
  #held = new Set<() => void>();

  constructor(handle: FileHandle, path: string, mostWaiting: number) {
    this.#handle = handle;
    this.path = path;
    this.#mostWaiting = mostWaiting;
  }

  get isFull(): boolean {
    return this.#waiting > this.#mostWaiting;
  }

  whenFree(act: () => void): void {
    if (this.isFull) this.#held.add(act);
    else act();
  }

  /** Takes an event. Never throws; what cannot be written is told by `close`. */
  write(event: TraceEvent): void {
    this.#append(this.#pages.add(printTraceEvent(event)));
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_AFTER);
  }

  /** Writes what waits. Answers why events are missing from the file; undefined where none is. */
  async flush(): Promise<string | undefined> {
    this.#flush();
    await this.#writing;
    return this.#failure;
  }

  /** Writes what waits and closes the file. Answers why events are missing from it; undefined where none is. */
  async close(): Promise<string | undefined> {
    await this.flush();
    await this.#handle.close();
    return this.#failure;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#append(this.#pages.take());
  }

  #append(pages: readonly Buffer[]): void {
    for (const page of pages) {
      this.#waiting += page.length;
      this.#writing = this.#writing.then(() => this.#write(page));
    }
  }

  async #write(page: Buffer): Promise<void> {
    let written = 0;
    try {
      // The rest of a line that found no more room is lost, and nothing else with it.
      if (this.#isTorn) await this.#handle.write('\n');
      this.#isTorn = false;
      // In one piece: `appendFile` cuts what is long, and another process that appends may write between the pieces.
      while (written < page.length) written += (await this.#handle.write(page, written)).bytesWritten;
    } catch (error) {
      this.#isTorn ||= written > 0;
      this.#failure ??= `${quote(this.path)} misses events (${describe(error)}); see that the disk has room and is writable`;
    }
    this.#waiting -= page.length;
    this.#pages.giveBack(page);
    if (this.isFull) return;
    const held = [...this.#held];
    this.#held.clear();
    for (const act of held) act();
  }
}

function describe(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
