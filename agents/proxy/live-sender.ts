import { connect, type Socket } from 'node:net';
import type { TraceEvent } from '../../core/events/events.ts';
import { printTraceEvent, printTraceHeader } from '../../trace/file.ts';
import type { EventSink } from '../store/event-sink.ts';

/** Milliseconds until it is looked again whether a window listens. */
const AGAIN = 1_000;

/** So many bytes may wait for the window. Beyond, what passes is held back: what waits would be lost with this process. */
const MOST_WAITING = 2 ** 23;

/** Milliseconds that a window has in the end to take what waits: a process that is gone must not seem to run on. */
const PATIENCE = 10_000;

/** So many characters go at once at most. */
const LARGEST_WRITE = 2 ** 20;

interface LiveLimits {
  /** Bytes that may wait for the window. */
  readonly mostWaiting?: number;
  /** Milliseconds that the window has in the end. */
  readonly patience?: number;
}

/**
 * Tells events to the window that listens at a local socket (`listenLive`), from when one does. While none does, nothing is
 * kept: the recording is that window's, and begins and ends there.
 */
export class LiveSender implements EventSink {
  readonly #path: string;
  readonly #producer: string;
  readonly #mostWaiting: number;
  readonly #patience: number;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting = new Set<() => void>();
  /** What was told in this turn. */
  #lines: string[] = [];
  #linesLength = 0;
  #isClosed = false;

  constructor(path: string, producer: string, limits: LiveLimits = {}) {
    this.#path = path;
    this.#producer = producer;
    this.#mostWaiting = limits.mostWaiting ?? MOST_WAITING;
    this.#patience = limits.patience ?? PATIENCE;
    this.#connect();
  }

  get isFull(): boolean {
    return (this.#socket?.writableLength ?? 0) > this.#mostWaiting;
  }

  whenFree(act: () => void): void {
    this.#waiting.add(act);
    if (!this.isFull) this.#goOn();
  }

  write(event: TraceEvent): void {
    if (!this.#socket) return;
    // What is told in one turn goes together.
    if (this.#lines.length === 0) process.nextTick(() => this.#flush());
    const line = printTraceEvent(event);
    this.#lines.push(line);
    this.#linesLength += line.length;
    if (this.#linesLength > LARGEST_WRITE) this.#flush();
  }

  /** Tells what waits, and ends. Answers what the window did not take. */
  async close(): Promise<string | undefined> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    if (!socket) return undefined;
    this.#flush();
    let missing: string | undefined;
    const timer = setTimeout(() => {
      missing = `The window did not take the last ${socket.writableLength} bytes of the recording; see whether it still answers`;
      socket.destroy();
    }, this.#patience);
    await new Promise<void>(resolve => void socket.once('close', resolve).end());
    clearTimeout(timer);
    return missing;
  }

  #connect(): void {
    const socket = connect(this.#path);
    this.#socket = socket;
    socket.write(printTraceHeader(this.#producer));
    socket.on('drain', () => this.#goOn());
    // The window says nothing; it is read so that its end is heard.
    socket.resume();
    // Nobody listens, or not any more.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#socket = undefined;
      this.#lines = [];
      this.#linesLength = 0;
      this.#goOn();
      if (!this.#isClosed) this.#timer = setTimeout(() => this.#connect(), AGAIN).unref();
    });
  }

  #flush(): void {
    if (this.#lines.length > 0) this.#socket?.write(this.#lines.join(''));
    this.#lines = [];
    this.#linesLength = 0;
  }

  #goOn(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const act of waiting) act();
  }
}
