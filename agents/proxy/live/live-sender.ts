import { connect, type Socket } from 'node:net';
import type { TraceEvent } from '../../../core/events/events.ts';
import { printTraceEvent, printTraceHeader } from '../../../trace/file.ts';
import type { EventSink } from '../../store/trace-file.ts';

/** Milliseconds until the next attempt to connect to a window. */
const AGAIN = 1_000;

/**
 * The maximum number of bytes that may wait for the window. Beyond it, traffic is held back: what waits would
 * be lost with this process.
 */
const MAX_WAITING = 2 ** 23;

/**
 * Milliseconds that a window has at the end to receive what waits. A process that has ended must not seem to
 * run on.
 */
const PATIENCE = 10_000;

/** The number of characters after which lines are written at once. */
const LARGEST_WRITE = 2 ** 20;

interface LiveLimits {
  /** The maximum number of bytes that may wait for the window. */
  readonly maxWaiting?: number;
  /** Milliseconds that the window has at the end. */
  readonly patience?: number;
}

/**
 * Sends events to the window that listens at a local socket (`listenLive`), as soon as one does. Without a
 * window nothing is stored: the recording belongs to the window, and begins and ends there.
 */
export class LiveSender implements EventSink {
  readonly #path: string;
  readonly #producer: string;
  readonly #maxWaiting: number;
  readonly #patience: number;
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waiting = new Set<() => void>();
  /** The lines of this turn of the event loop. */
  #lines: string[] = [];
  #linesLength = 0;
  #isClosed = false;

  constructor(path: string, producer: string, limits: LiveLimits = {}) {
    this.#path = path;
    this.#producer = producer;
    this.#maxWaiting = limits.maxWaiting ?? MAX_WAITING;
    this.#patience = limits.patience ?? PATIENCE;
    this.#connect();
  }

  get isFull(): boolean {
    return (this.#socket?.writableLength ?? 0) > this.#maxWaiting;
  }

  whenFree(act: () => void): void {
    this.#waiting.add(act);
    if (!this.isFull) this.#goOn();
  }

  write(event: TraceEvent): void {
    if (!this.#socket) return;
    // Events of one turn are sent together.
    if (this.#lines.length === 0) process.nextTick(() => this.#flush());
    const line = printTraceEvent(event);
    this.#lines.push(line);
    this.#linesLength += line.length;
    if (this.#linesLength > LARGEST_WRITE) this.#flush();
  }

  /** Sends what waits, and ends. Returns a message if the window did not receive all of it. */
  async close(): Promise<string | undefined> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    if (!socket) return undefined;
    this.#flush();
    let missing: string | undefined;
    const timer = setTimeout(() => {
      missing = `The window did not take the last ${socket.writableLength} bytes of the recording; check whether it still responds`;
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
    // The window sends nothing, but its end is noticed only while reading.
    socket.resume();
    // No window listens, or it no longer does.
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
