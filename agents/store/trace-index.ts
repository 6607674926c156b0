import type { FileHandle } from 'node:fs/promises';
import { moreAre } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import type { HeadEvent, TraceEvent, WireEvent } from '../../core/events/events.ts';
import { checkTraceHeader } from '../../trace/file.ts';
import { TraceFold } from '../../trace/fold/fold.ts';
import { markOf, type SkeletonEvent, type PayloadPiece } from '../../core/events/payload.ts';
import type { PayloadLimiter } from '../../trace/payload-limiter.ts';
import { FileRefusal, openRegularFile } from '../regular-file.ts';
import { FileMark } from './file-mark.ts';
import { LinePlaces } from './line-places.ts';
import { LONGEST_LINE, readEvent, readPayload, readPayloads } from './payload-lines.ts';
import { readAt } from './read-at.ts';

/** The number of bytes of a file in memory at a time, in addition to one line. */
const PIECE = 2 ** 20;

/** The maximum number of notes about single lines that are left out. */
const MAX_NOTES = 20;

const LINE_END = 0x0a;

const LOST = 'Its payload can no longer be read: its file was deleted';

type PayloadEvent = HeadEvent | WireEvent;

/** The result of reading on: nothing new, more events, or another file in place of the one that was read. */
export type ReadOn =
  | { readonly ok: true; readonly found: 'nothing' | 'more' | 'anew' }
  | { readonly ok: false; readonly message: string };

/** Receives the progress of reading, and may end it. */
interface Listening {
  readonly progress: (read: number, size: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** Receives each event of a file without its payload, and its line. */
interface EventListener {
  /** The line has no line end. */
  take(event: SkeletonEvent, line: Buffer): void;
}

/**
 * A trace file of any size: its calls, in a fold without payloads, and the places of their payloads in the
 * file. It reads the file once, piece by piece, and again where it grew. Nothing throws or rejects; what
 * cannot be read is reported.
 */
export class TraceIndex {
  readonly #path: string;
  readonly #listener: EventListener | undefined;
  #fold = new TraceFold('counted');
  #places = new LinePlaces();
  /** The file that was read, and the offset after its last complete line. */
  #mark: FileMark | undefined;
  #offset = 0;
  #line = 0;
  #error: string | undefined;
  #leftOut: string[] = [];
  #leftOutCount = 0;
  /** True if the file ends with a line that is not a complete event. */
  #isTorn = false;
  #reading: Promise<ReadOn> | undefined;

  /** With a listener, its events go there and the fold stays empty. */
  constructor(path: string, listener?: EventListener) {
    this.#path = path;
    this.#listener = listener;
  }

  /** The calls so far. A new fold replaces it when `readOn` returns `anew`. */
  get fold(): TraceFold {
    return this.#fold;
  }

  /** The number of lines with payloads whose places are known. */
  get entries(): number {
    return this.#places.count;
  }

  /** What was left out, and why. */
  get notes(): readonly string[] {
    const more = this.#leftOutCount - this.#leftOut.length;
    return [
      ...this.#leftOut,
      ...(more > 0 ? [`${moreAre(more, 'line')} left out`] : []),
      ...(this.#isTorn
        ? ['The last line is incomplete, because writing it was interrupted; it is left out']
        : []),
      ...this.#fold.notes(),
    ];
  }

  /**
   * Reads what is in the file and was not read yet, until `signal` is aborted; the rest is read the next
   * time. `progress` receives the number of bytes that were read.
   */
  readOn(
    progress: (read: number, size: number) => void = () => undefined,
    signal?: AbortSignal,
  ): Promise<ReadOn> {
    this.#reading ??= this.#readOn({ progress, signal }).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /**
   * The payload of a call, in order, read from its places in the file, as far as `limiter` allows; empty if it
   * can no longer be read.
   */
  async payload(call: string, limiter?: PayloadLimiter): Promise<readonly PayloadEvent[]> {
    if (!this.#places.has(call)) return [];
    let file: FileHandle | undefined;
    try {
      file = await openRegularFile(this.#path);
      return await readPayload(file, this.#places, call, limiter);
    } catch {
      this.#reportLost(call);
      return [];
    } finally {
      await file?.close();
    }
  }

  /** The payloads of calls, in one pass through the file, which is opened once; empty for calls that cannot be read. */
  async *payloads(calls: readonly string[]): AsyncGenerator<PayloadPiece, void> {
    const placed = new Set<string>();
    for (const call of calls)
      if (this.#places.has(call)) placed.add(call);
      else yield { call, events: [], isLast: true };
    if (placed.size === 0) return;
    let file: FileHandle | undefined;
    try {
      file = await openRegularFile(this.#path);
      for await (const piece of readPayloads(file, this.#places, [...placed])) {
        if (piece.isLast) placed.delete(piece.call);
        yield piece;
      }
    } catch {
      // The file is gone, but its calls are still known.
    } finally {
      await file?.close();
    }
    for (const call of placed) yield { call, events: [], isLast: true };
  }

  async #readOn(listening: Listening): Promise<ReadOn> {
    let file: FileHandle | undefined;
    try {
      file = await openRegularFile(this.#path);
      const stats = await file.stat({ bigint: true });
      const isAnew = this.#mark !== undefined && !(await this.#mark.isOn(file, stats));
      if (isAnew || this.#error !== undefined) this.#forget();
      const before = this.#offset;
      await this.#readLines(file, Number(stats.size), listening);
      this.#mark = await FileMark.of(file, stats, this.#offset);
      if (this.#error !== undefined) return { ok: false, message: this.#error };
      const found = this.#offset > before ? 'more' : 'nothing';
      return { ok: true, found: isAnew ? 'anew' : found };
    } catch (error) {
      return {
        ok: false,
        message: `${quote(this.#path, 200)} ${describe(error)}`,
      };
    } finally {
      await file?.close();
    }
  }

  async #readLines(file: FileHandle, size: number, { progress, signal }: Listening): Promise<void> {
    let held: Buffer[] = [];
    let heldLength = 0;
    let at = this.#offset;
    const readNext = (): Promise<Buffer> => {
      const next = readAt(file, at, Math.min(PIECE, size - at));
      // If the lines before it end the reading, nothing waits for it.
      next.catch(() => undefined);
      return next;
    };
    for (let coming = readNext(); at < size && this.#error === undefined;) {
      const piece = await coming;
      if (signal?.aborted === true) return;
      if (piece.length === 0) break;
      at += piece.length;
      // The next piece is read while this one is processed.
      if (at < size) coming = readNext();
      let from = 0;
      for (let end = piece.indexOf(LINE_END); end >= 0; end = piece.indexOf(LINE_END, from)) {
        const rest = piece.subarray(from, end);
        const length = heldLength + rest.length;
        if (length > LONGEST_LINE) await this.#leaveLong(file, length);
        else this.#takeLine(held.length === 0 ? rest : Buffer.concat([...held, rest]));
        this.#offset += length + 1;
        [held, heldLength, from] = [[], 0, end + 1];
      }
      heldLength += piece.length - from;
      if (heldLength > LONGEST_LINE) held = [];
      else held.push(piece.subarray(from));
      progress(at, size);
    }
    if (this.#error !== undefined) return;
    if (heldLength <= LONGEST_LINE) this.#takeLast(Buffer.concat(held));
    else if (this.#line === 0) await this.#leaveLong(file, heldLength);
    else this.#isTorn = true;
  }

  /** The last line may have no line end: it is either an event or the beginning of one that is being written. */
  #takeLast(line: Buffer): void {
    this.#isTorn = line.length > 0;
    if (this.#line === 0) {
      if (line.length === 0 || checkTraceHeader(line.toString()) !== undefined)
        this.#error = checkTraceHeader(line.toString('utf8', 0, 200));
      return;
    }
    if (line.length === 0 || !readEvent(line)) return;
    this.#takeLine(line);
    this.#offset += line.length;
    // A line end that is added to it later is not a line of its own.
    this.#line--;
    this.#isTorn = false;
  }

  #takeLine(line: Buffer): void {
    this.#line++;
    if (this.#line === 1) this.#error = checkTraceHeader(line.toString().replace(/^\ufeff/, ''));
    else if (!isBlank(line)) this.#takeEvent(readEvent(line), line);
  }

  async #leaveLong(file: FileHandle, length: number): Promise<void> {
    this.#line++;
    if (this.#line === 1) this.#error = checkTraceHeader((await readAt(file, this.#offset, 200)).toString());
    else this.#leaveOut(`Line ${this.#line} has ${length} bytes, more than is read; it is left out`);
  }

  #takeEvent(event: TraceEvent | undefined, line: Buffer): void {
    if (!event) {
      const start = quote(line.toString('utf8', 0, 200));
      this.#leaveOut(`Line ${this.#line} is not an event of this format; it is left out: ${start}`);
      return;
    }
    const skeleton = this.#place(event, line.length);
    if (this.#listener) this.#listener.take(skeleton, line);
    else this.#fold.add(skeleton);
  }

  /** Stores the place of a payload in the file instead of the payload. */
  #place(event: TraceEvent, length: number): SkeletonEvent {
    if (event.type !== 'head' && event.type !== 'wire') return event;
    this.#places.add(event.call, this.#offset, length);
    return markOf(event, text => Buffer.byteLength(text));
  }

  #leaveOut(note: string): void {
    this.#leftOutCount++;
    if (this.#leftOut.length < MAX_NOTES) this.#leftOut.push(note);
  }

  /** Adds a note that the payload is lost. The call itself is still known. */
  #reportLost(call: string): void {
    const at = this.#fold.find(call)?.traffic.lastAt;
    if (at !== undefined) this.#fold.add({ type: 'note', call, at, text: LOST });
  }

  #forget(): void {
    this.#fold = new TraceFold('counted');
    this.#places = new LinePlaces();
    this.#leftOut = [];
    [this.#offset, this.#line, this.#leftOutCount, this.#isTorn, this.#error] = [0, 0, 0, false, undefined];
  }
}

function describe(error: unknown): string {
  if (error instanceof FileRefusal) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return `cannot be read (${code}); check that it exists`;
}

function isBlank(line: Buffer): boolean {
  return line.length < 100 && line.toString().trim() === '';
}
