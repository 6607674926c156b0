import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallEvent, TraceEvent, WireEvent } from '../../../protocol/src/trace/events.ts';
import { openTraceFile, type OpenedTraceFile } from './trace-file.ts';

/** How much is kept. */
interface SpillLimits {
  /** Bytes on the wire of one call that are passed on; what comes after them stands in its trace file. */
  readonly perCall: number;
  /** Trace files that are kept; the oldest go first. */
  readonly files: number;
}

const DEFAULT_LIMITS: SpillLimits = { perCall: 16 * 2 ** 20, files: 10 };

const ENDING = '.agenttrace.jsonl';

/** Where the files are and who writes them, our name with its version. */
export interface SpillPlace {
  readonly folder: string;
  readonly producer: string;
}

/**
 * Passes trace events on, of each call as many bytes as a window can keep. A call that has more gets a trace file, which
 * holds all of it from its start, and a note that says how much stands there alone.
 */
export class CallSpill {
  readonly #place: SpillPlace;
  readonly #emit: (event: TraceEvent) => void;
  readonly #limits: SpillLimits;
  readonly #calls = new Map<string, OpenCall>();

  constructor(place: SpillPlace, emit: (event: TraceEvent) => void, limits: SpillLimits = DEFAULT_LIMITS) {
    this.#place = place;
    this.#emit = emit;
    this.#limits = limits;
  }

  /** Takes an event. Never throws; what cannot be written is told in a note of its call. */
  take(event: TraceEvent): void {
    if (event.type === 'call') this.#calls.set(event.call, new OpenCall(event));
    const call = this.#calls.get(event.call);
    if (event.type === 'wire' && call) {
      if (!call.file && call.bytes + sizeOf(event) > this.#limits.perCall) this.#spill(call, event);
      call.take(event);
      if (call.file) return;
    } else if (event.type === 'end') {
      this.#end(call, event.call, event.at);
      call?.take(event);
      this.#calls.delete(event.call);
      void call?.close().then(failure => failure && this.#note(event.call, event.at, failure));
    } else if (event.type !== 'call') call?.take(event);
    this.#emit(event);
  }

  #spill(call: OpenCall, { at }: WireEvent): void {
    const path = join(this.#place.folder, `${call.id}${ENDING}`);
    this.#note(call.id, at, `What comes from here on is kept in the trace file ${path} alone`);
    call.spill(path, this.#open(path));
  }

  #end(call: OpenCall | undefined, id: string, at: number): void {
    if (!call?.file) return;
    const { bytes, path } = call.file;
    this.#note(
      id,
      at,
      `${bytes} bytes more of this call are in the trace file ${path}, which holds all of it`,
    );
  }

  async #open(path: string): Promise<OpenedTraceFile> {
    const { folder, producer } = this.#place;
    try {
      await mkdir(folder, { recursive: true });
      await removeOldest(folder, this.#limits.files - 1);
    } catch {
      // Opening the file says what is wrong with the folder.
    }
    return openTraceFile(path, producer);
  }

  #note(call: string, at: number, text: string): void {
    this.#emit({ type: 'note', call, at, text });
  }
}

/** A call that has not ended. */
class OpenCall {
  readonly id: string;
  /** Bytes on the wire that were passed on. */
  bytes = 0;
  #file: { readonly path: string; readonly opened: Promise<OpenedTraceFile>; bytes: number } | undefined;
  /** All events so far; none once they stand in a file. */
  #events: TraceEvent[] = [];

  constructor(event: CallEvent) {
    this.id = event.call;
    this.#events.push(event);
  }

  /** Its file, with the bytes that stand there alone; undefined where it has none. */
  get file(): { readonly path: string; readonly bytes: number } | undefined {
    return this.#file;
  }

  take(event: TraceEvent): void {
    const bytes = event.type === 'wire' ? sizeOf(event) : 0;
    if (!this.#file) {
      this.bytes += bytes;
      this.#events.push(event);
      return;
    }
    this.#file.bytes += bytes;
    void this.#file.opened.then(opened => opened.ok && opened.file.write(event));
  }

  spill(path: string, opened: Promise<OpenedTraceFile>): void {
    this.#file = { path, opened, bytes: 0 };
    const events = this.#events;
    this.#events = [];
    void opened.then(file => file.ok && events.forEach(event => file.file.write(event)));
  }

  /** Answers why events are missing from its file; undefined where none is. */
  async close(): Promise<string | undefined> {
    if (!this.#file) return undefined;
    const { path, bytes, opened } = this.#file;
    const file = await opened;
    return file.ok
      ? file.file.close()
      : `The trace file ${path} could not be opened, so ${bytes} bytes of this call are lost; see that its folder is writable`;
  }
}

function sizeOf({ bytes }: WireEvent): number {
  return 'text' in bytes ? Buffer.byteLength(bytes.text) : Buffer.byteLength(bytes.base64, 'base64');
}

async function removeOldest(folder: string, kept: number): Promise<void> {
  const names = (await readdir(folder)).filter(name => name.endsWith(ENDING));
  const files = await Promise.all(
    names.map(async name => ({ name, time: (await stat(join(folder, name))).mtimeMs })),
  );
  const oldest = files.toSorted((a, b) => b.time - a.time).slice(kept);
  for (const { name } of oldest) await rm(join(folder, name), { force: true });
}
