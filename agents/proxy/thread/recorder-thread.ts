import { ALL_PROTOCOLS } from '../../../protocols/all.ts';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TraceEvent } from '../../../core/events/events.ts';
import { listSecretNames } from '../../../core/secrets/secret-name.ts';
import { NO_LIMIT, type Capacity } from '../../store/trace-file.ts';
import type { Notify } from '../../store/missing-events.ts';
import { RecorderQueue } from './recorder-queue.ts';
import type { Exchange, ExchangeRecorder, PassingRequest, RecordingFacts } from '../exchange.ts';
import type { ExchangeAct, FromRecorder, RecorderTask, ToRecorder } from './recorder-messages.ts';
import { ThreadExchange, type ActFields } from './thread-exchange.ts';

/** The program of the thread: a file next to this one or, in a bundle, next to the bundle. */
const PROGRAM = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? 'recorder-program.ts' : 'recorder.js',
);

/** How much may wait before traffic is held back. */
interface ThreadLimits {
  /** The maximum number of bytes that may wait to be recorded. */
  readonly maxBehind?: number;
  /** While it is full, recorded messages still count as waiting. */
  readonly capacity?: Capacity;
}

/** The default of `maxBehind`: a fraction of a second of traffic, so that the recording stays close to it. */
const MAX_BEHIND = 4 * 2 ** 20;

type Emit = (event: TraceEvent) => void;

/** The receiver of a recording's events, and the calls that have not ended. */
interface Listener {
  readonly emit: Emit;
  readonly open: Set<string>;
}

const BROKEN_OFF = 'The recording was interrupted before the call ended';

/**
 * Turns traffic into trace events in another thread, so that the thread that passes the traffic has time for
 * that: recognition, redaction, printing and writing run there. A recursion guard needs results in time, so it uses a `Recorder` in the passing thread instead.
 */
export class RecorderThread {
  /** Resolves with the reason when recording has failed. Bytes pass all the same. */
  readonly failed: Promise<string>;
  readonly #worker: Worker;
  readonly #now: () => number;
  readonly #queue: RecorderQueue;
  readonly #capacity: Capacity;
  readonly #listeners = new Map<number, Listener>();
  readonly #flushes = new Map<number, () => void>();
  #count = 0;
  /** The newest connection. */
  #newest = 0;
  #isDead = false;
  /** True once everything is recorded and the thread is about to end. */
  #isClosed = false;
  #missing: string | undefined;
  #reportMissing: Notify = () => undefined;

  private constructor(worker: Worker, now: () => number, limits: ThreadLimits) {
    const { maxBehind = MAX_BEHIND, capacity = NO_LIMIT } = limits;
    this.#worker = worker;
    this.#capacity = capacity;
    this.#now = now;
    this.#queue = new RecorderQueue(acts => this.#send({ type: 'acts', acts }), now, maxBehind);
    this.failed = new Promise(resolve => {
      const fail = (why: string): void => {
        this.#die();
        resolve(`The recording failed (${why}); traffic is still forwarded, but no longer recorded`);
      };
      worker.once('error', error => fail(error.message));
      worker.once('exit', code =>
        this.#isClosed ? this.#die() : fail(`its thread ended with code ${code}`),
      );
    });
    worker.on('message', (message: FromRecorder) => this.#take(message));
    // Only code that waits for the thread keeps the process alive.
    worker.unref();
  }

  /**
   * Starts the thread. Returns a message if it cannot start or cannot write the file. `now` is in
   * milliseconds since 1970.
   */
  static async start(
    task: RecorderTask,
    now: () => number,
    limits: ThreadLimits = {},
  ): Promise<
    { readonly ok: true; readonly thread: RecorderThread } | { readonly ok: false; readonly message: string }
  > {
    const worker = new Worker(PROGRAM, { workerData: task });
    const message = await new Promise<string | undefined>(resolve => {
      const fail = (why: string): void => resolve(`The thread that records cannot start (${why})`);
      worker.once('message', (first: FromRecorder) =>
        resolve(first.type === 'opened' ? first.message : undefined),
      );
      worker.once('error', error => fail(error.message));
      worker.once('exit', code => fail(`it ended with code ${code}`));
    });
    worker.removeAllListeners('message');
    worker.removeAllListeners('error');
    if (message === undefined) return { ok: true, thread: new RecorderThread(worker, now, limits) };
    await worker.terminate();
    return { ok: false, message };
  }

  /** Sets what is called at once when events begin to be missing from the file, and when they no longer are. */
  onMissing(report: Notify): void {
    this.#reportMissing = report;
  }

  /** Opens a recording of one agent. `emit` receives its events if they are sent back. */
  open(facts: RecordingFacts, emit: Emit = () => undefined): ExchangeRecorder {
    const recording = ++this.#count;
    this.#listeners.set(recording, { emit, open: new Set() });
    this.#send({ type: 'recording', recording, facts, secretNames: listSecretNames() });
    const queue = this.#queue;
    return {
      isGuarded: false,
      get isFull() {
        return queue.isFull;
      },
      open: (request, origin) => this.#openExchange(recording, request, origin),
      whenFree: act => queue.whenFree(act),
      stop: async outcome => {
        this.#queue.send();
        this.#send({ type: 'stop', recording, at: this.#now(), outcome });
        await this.#flush();
        this.#listeners.delete(recording);
      },
    };
  }

  /**
   * Ends the thread once everything is recorded. Returns why events are missing from the file; undefined if
   * none are.
   */
  async close(): Promise<string | undefined> {
    this.#queue.send();
    if (this.#isDead) return this.#missing;
    this.#worker.ref();
    const exited = new Promise(resolve => this.#worker.once('exit', resolve));
    this.#send({ type: 'close' });
    await exited;
    return this.#missing;
  }

  #openExchange(recording: number, request: PassingRequest, origin: string): Exchange {
    const exchange = ++this.#count;
    const report = (act: ActFields<ExchangeAct>): void => {
      if (!this.#isDead) this.#queue.add({ exchange, at: this.#now(), ...act });
    };
    const isFirst = this.#queue.isEmpty;
    report({ type: 'open', recording, request, origin });
    // The owner of a connection can be found only while it is open, so its first request is sent at once.
    const connection = request.caller?.connection ?? 0;
    if (connection > this.#newest && isFirst) this.#queue.send();
    this.#newest = Math.max(this.#newest, connection);
    const isCard = ALL_PROTOCOLS.list.some(({ requests }) => requests.isCard?.(request.path));
    return new ThreadExchange(request, { isCard }, report, (type, bytes) => {
      if (!this.#isDead) this.#queue.addBytes(exchange, type, bytes);
    });
  }

  #send(message: ToRecorder): void {
    if (this.#isDead) return;
    // The bytes of acts are moved: they are copies that nothing else uses.
    const moved =
      message.type === 'acts' ? message.acts.flatMap(act => ('bytes' in act ? act.bytes.buffer : [])) : [];
    this.#worker.postMessage(message, moved);
  }

  #flush(): Promise<void> {
    if (this.#isDead) return Promise.resolve();
    const number = ++this.#count;
    this.#worker.ref();
    return new Promise(resolve => {
      this.#flushes.set(number, resolve);
      this.#send({ type: 'flush', number });
    });
  }

  #take(message: FromRecorder): void {
    switch (message.type) {
      case 'recorded':
        this.#capacity.whenFree(() => this.#queue.recorded());
        return;
      case 'events':
        for (const event of message.events) this.#emit(this.#listeners.get(message.recording), event);
        return;
      case 'done':
        this.#flushes.get(message.number)?.();
        this.#flushes.delete(message.number);
        if (this.#flushes.size === 0) this.#worker.unref();
        return;
      case 'missing':
        this.#reportMissing(message.message);
        return;
      case 'closed':
        this.#missing = message.missing;
        this.#isClosed = true;
        return;
      case 'opened':
    }
  }

  #emit(listener: Listener | undefined, event: TraceEvent): void {
    if (event.type === 'call') listener?.open.add(event.call);
    else if (event.type === 'end') listener?.open.delete(event.call);
    listener?.emit(event);
  }

  #die(): void {
    this.#isDead = true;
    this.#queue.drop();
    // Nothing else will end them.
    for (const { emit, open } of this.#listeners.values())
      for (const call of open)
        emit({ type: 'end', call, at: this.#now(), status: 'incomplete', message: BROKEN_OFF });
    this.#listeners.clear();
    for (const resolve of this.#flushes.values()) resolve();
    this.#flushes.clear();
  }
}
