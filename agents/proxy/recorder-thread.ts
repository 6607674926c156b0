import { ALL_PROTOCOLS } from '../../protocols/all.ts';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { TraceEvent } from '../../core/events/events.ts';
import { listSecretNames } from '../../core/secrets/secret-name.ts';
import { NO_LIMIT, type Room } from '../store/event-sink.ts';
import type { Tell } from '../store/missing-events.ts';
import { ActOutbox } from './act-outbox.ts';
import type { Exchange, ExchangeRecorder, PassingRequest } from './exchange.ts';
import type {
  ExchangeAct,
  FromRecorder,
  RecorderTask,
  RecordingFacts,
  ToRecorder,
} from './recorder-messages.ts';
import { ThreadExchange, type Told } from './thread-exchange.ts';

/** What the thread runs: this file's neighbour, or in a bundle the bundle's neighbour. */
const PROGRAM = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? 'recorder-program.ts' : 'recorder.js',
);

/** How much may wait before what passes is held back. */
interface ThreadLimits {
  /** So many bytes may wait to be recorded. */
  readonly mostBehind?: number;
  /** What is recorded waits while there is none. */
  readonly room?: Room;
}

/** So many bytes may wait to be recorded. Beyond, what passes is held back: nothing is lost, and memory is bounded. */
const MOST_BEHIND = 128 * 2 ** 20;

type Emit = (event: TraceEvent) => void;

/** Who takes the events of a recording, and the calls of it that have not ended. */
interface Listener {
  readonly emit: Emit;
  readonly open: Set<string>;
}

const BROKEN_OFF = 'The recording broke off before the call ended';

/**
 * A thread that makes trace events of what passes, so that the one that passes it has its time for that: recognising, masking
 * secrets, printing and writing are done there. Bytes go to it without being copied where nobody else needs them. What it
 * cannot know in time is what a recursion guard asks: that is a `Recorder` in the thread that passes.
 */
export class RecorderThread {
  /** Why nothing is recorded any more; undefined while all is well. Bytes pass all the same. */
  readonly failed: Promise<string>;
  readonly #worker: Worker;
  readonly #now: () => number;
  readonly #outbox: ActOutbox;
  readonly #room: Room;
  readonly #listeners = new Map<number, Listener>();
  readonly #flushes = new Map<number, () => void>();
  #count = 0;
  /** The connection that was opened last. */
  #newest = 0;
  #isDead = false;
  /** All was recorded, and its end is to come. */
  #isClosed = false;
  #missing: string | undefined;
  #tellMissing: Tell = () => undefined;

  private constructor(worker: Worker, now: () => number, limits: ThreadLimits) {
    const { mostBehind = MOST_BEHIND, room = NO_LIMIT } = limits;
    this.#worker = worker;
    this.#room = room;
    this.#now = now;
    this.#outbox = new ActOutbox({ send: acts => this.#send({ type: 'acts', acts }), now, mostBehind });
    this.failed = new Promise(resolve => {
      const fail = (why: string): void => {
        this.#die();
        resolve(`The recording broke off (${why}); what passes goes on to pass, and is not kept`);
      };
      worker.once('error', error => fail(error.message));
      worker.once('exit', code =>
        this.#isClosed ? this.#die() : fail(`its thread ended with code ${code}`),
      );
    });
    worker.on('message', (message: FromRecorder) => this.#take(message));
    // Whoever waits for it says so.
    worker.unref();
  }

  /** Starts the thread. Answers why it cannot write the file; `now` are milliseconds since 1970. */
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

  /** Has somebody hear at once when events begin to be missing from the file, and when they are no longer. */
  onMissing(tell: Tell): void {
    this.#tellMissing = tell;
  }

  /** A recording of one agent. `emit` takes its events where they come back. */
  open(facts: RecordingFacts, emit: Emit = () => undefined): ExchangeRecorder {
    const recording = ++this.#count;
    this.#listeners.set(recording, { emit, open: new Set() });
    this.#send({ type: 'recording', recording, facts, secretNames: listSecretNames() });
    const outbox = this.#outbox;
    return {
      isGuarded: false,
      get isFull() {
        return outbox.isFull;
      },
      open: (request, origin) => this.#openExchange(recording, request, origin),
      openMemory: () => outbox.openMemory(),
      whenFree: act => outbox.whenFree(act),
      stop: async outcome => {
        this.#outbox.send();
        this.#send({ type: 'stop', recording, at: this.#now(), outcome });
        await this.#flush();
        this.#listeners.delete(recording);
      },
    };
  }

  /** Ends the thread once all is recorded. Answers why events are missing from the file; undefined where none is. */
  async close(): Promise<string | undefined> {
    this.#outbox.send();
    if (this.#isDead) return this.#missing;
    this.#worker.ref();
    const exited = new Promise(resolve => this.#worker.once('exit', resolve));
    this.#send({ type: 'close' });
    await exited;
    return this.#missing;
  }

  #openExchange(recording: number, request: PassingRequest, origin: string): Exchange {
    const exchange = ++this.#count;
    const tell = (act: Told<ExchangeAct>): void => {
      if (!this.#isDead) this.#outbox.tell({ exchange, at: this.#now(), ...act });
    };
    tell({ type: 'open', recording, request, origin });
    // Whose a connection is can be seen while it is open: its first request waits for no others.
    const connection = request.caller?.connection ?? 0;
    if (connection > this.#newest && this.#outbox.unsent === 1) this.#outbox.send();
    this.#newest = Math.max(this.#newest, connection);
    const isCard = ALL_PROTOCOLS.list.some(({ requests }) => requests.isCard?.(request.path));
    return new ThreadExchange(request, { isCard }, tell, (type, bytes) => {
      if (!this.#isDead) this.#outbox.tellBytes(exchange, type, bytes);
    });
  }

  #send(message: ToRecorder): void {
    if (!this.#isDead) this.#worker.postMessage(message);
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
        this.#room.whenFree(() => this.#outbox.recorded());
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
        this.#tellMissing(message.message);
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
    this.#outbox.drop();
    // Nobody else will end them.
    for (const { emit, open } of this.#listeners.values())
      for (const call of open)
        emit({ type: 'end', call, at: this.#now(), status: 'incomplete', message: BROKEN_OFF });
    this.#listeners.clear();
    for (const resolve of this.#flushes.values()) resolve();
    this.#flushes.clear();
  }
}
