import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { KeptHeader, TraceEvent } from '../../../protocol/src/trace/events.ts';
import { isCardPath } from '../../../protocol/src/trace/recognise/request.ts';
import type { Exchange, ExchangeOutcome, ExchangeRecorder, PassingRequest, Verdict } from './exchange.ts';
import type {
  ExchangeAct,
  FromRecorder,
  RecorderTask,
  RecordingFacts,
  Runs,
  ToRecorder,
} from './recorder-messages.ts';

/** What the thread runs: this file's neighbour, or in a bundle the bundle's neighbour. */
const PROGRAM = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? 'recorder-program.ts' : 'recorder.js',
);

/** Acts wait so long for others that go with them, in milliseconds. */
const SEND_AFTER = 10;

/**
 * So many bytes within that time are a flood: what passes needs the processors then, so it is recorded in the next quiet
 * moment, or once it waited so long, in milliseconds, or is half of what may wait.
 */
const FLOOD = 2 ** 18;
const LONGEST_FLOOD = 500;

/** So many bytes may wait to be recorded. Beyond, what passes is held back: nothing is lost, and memory is bounded. */
const MOST_BEHIND = 128 * 2 ** 20;

/** About what an act takes beside the bytes that passed: heads and names. */
const ACT_WEIGHT = 1_000;

/** Messages to the thread have so many bytes, so that it writes one while it has yet to read the next. */
const LARGEST_MESSAGE = 2 ** 20;

type Emit = (event: TraceEvent) => void;

/** Who takes the events of a recording, and the calls of it that have not ended. */
interface Listener {
  readonly emit: Emit;
  readonly open: Set<string>;
}

const BROKEN_OFF = 'The recording broke off before the call ended';

/** What happens to an exchange, without its number and its time. */
type Told<Act> = Act extends ExchangeAct ? Omit<Act, 'exchange' | 'at'> : never;

/** Acts that hold bytes. */
type BytesAct = Extract<ExchangeAct, { readonly bytes: Runs }>;

const PASSES: Verdict = { kind: 'passes' };

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
  readonly #mostBehind: number;
  readonly #listeners = new Map<number, Listener>();
  readonly #free = new Set<ArrayBuffer>();
  readonly #waiting = new Set<() => void>();
  readonly #flushes = new Map<number, () => void>();
  #acts: ExchangeAct[] = [];
  #size = 0;
  #behind = 0;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  #isDead = false;
  /** All was recorded, and its end is to come. */
  #isClosed = false;
  #missing: string | undefined;

  private constructor(worker: Worker, now: () => number, mostBehind: number) {
    this.#mostBehind = mostBehind;
    this.#worker = worker;
    this.#now = now;
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

  /** Starts the thread. Answers why it cannot write the file; `now` are milliseconds since 1970, `mostBehind` bytes that wait. */
  static async start(
    task: RecorderTask,
    now: () => number,
    mostBehind = MOST_BEHIND,
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
    if (message === undefined) return { ok: true, thread: new RecorderThread(worker, now, mostBehind) };
    await worker.terminate();
    return { ok: false, message };
  }

  /** A recording of one agent. `emit` takes its events where they come back. */
  open(facts: RecordingFacts, emit: Emit = () => undefined): ExchangeRecorder {
    const recording = ++this.#count;
    this.#listeners.set(recording, { emit, open: new Set() });
    this.#send({ type: 'recording', recording, facts });
    const isFull = (): boolean => this.#behind > this.#mostBehind;
    return {
      isGuarded: false,
      get isFull() {
        return isFull();
      },
      open: (request, origin) => this.#openExchange(recording, request, origin),
      release: bytes => this.#release(bytes),
      whenFree: act => void this.#waiting.add(act),
      stop: async outcome => {
        this.#sendActs();
        this.#send({ type: 'stop', recording, at: this.#now(), outcome });
        await this.#flush();
        this.#listeners.delete(recording);
      },
    };
  }

  /** Ends the thread once all is recorded. Answers why events are missing from the file; undefined where none is. */
  async close(): Promise<string | undefined> {
    this.#sendActs();
    if (this.#isDead) return this.#missing;
    this.#worker.ref();
    const exited = new Promise(resolve => this.#worker.once('exit', resolve));
    this.#send({ type: 'close' });
    await exited;
    return this.#missing;
  }

  #openExchange(recording: number, request: PassingRequest, origin: string): Exchange {
    const exchange = ++this.#count;
    const tell = (act: Told<ExchangeAct>): void => this.#tell({ exchange, at: this.#now(), ...act });
    tell({ type: 'open', recording, request, origin });
    return new ThreadExchange(request, tell, (type, bytes) => this.#tellBytes(exchange, type, bytes));
  }

  #tell(act: ExchangeAct): void {
    if (this.#isDead) return;
    const bytes = weigh(act);
    this.#acts.push(act);
    this.#size += bytes;
    this.#behind += bytes;
    if (this.#size >= this.#mostBehind / 2) this.#sendActs();
    else this.#timer ??= setTimeout(() => this.#sendSoon(0, SEND_AFTER), SEND_AFTER);
  }

  /** Sends what waits, or in a flood waits on: `before` bytes waited a moment ago, the first for so many milliseconds. */
  #sendSoon(before: number, waited: number): void {
    const size = this.#size;
    if (size - before < FLOOD || waited >= LONGEST_FLOOD) this.#sendActs();
    else this.#timer = setTimeout(() => this.#sendSoon(size, waited + SEND_AFTER), SEND_AFTER);
  }

  /** What was read together is told together: one piece of memory, and where in it the bytes are. */
  #tellBytes(exchange: number, type: BytesAct['type'], { buffer: memory, byteOffset, length }: Buffer): void {
    const last = this.#acts.at(-1);
    if (
      last &&
      'bytes' in last &&
      last.exchange === exchange &&
      last.type === type &&
      last.bytes.memory === memory
    )
      last.bytes.places.push(byteOffset, length);
    else this.#tell({ exchange, at: this.#now(), type, bytes: { memory, places: [byteOffset, length] } });
  }

  #release({ buffer }: Buffer): void {
    if (buffer instanceof ArrayBuffer) this.#free.add(buffer);
  }

  #sendActs(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const acts = this.#acts;
    this.#acts = [];
    this.#size = 0;
    // What was read at once may be of several exchanges: memory is given away with the last act that needs it.
    const last = new Map(acts.map((act, index) => [memoryOf(act), index]));
    let first = 0;
    let bytes = 0;
    for (const [index, act] of acts.entries()) {
      bytes += weigh(act);
      if (bytes < LARGEST_MESSAGE && index < acts.length - 1) continue;
      const sent = acts.slice(first, index + 1);
      const told = new Set(sent.map(memoryOf));
      const given = [...this.#free].filter(memory => told.has(memory) && (last.get(memory) ?? 0) <= index);
      this.#send({ type: 'acts', acts: sent, bytes }, given);
      for (const memory of given) this.#free.delete(memory);
      first = index + 1;
      bytes = 0;
    }
    this.#free.clear();
  }

  #send(message: ToRecorder, given: readonly ArrayBuffer[] = []): void {
    if (!this.#isDead) this.#worker.postMessage(message, given);
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
        this.#behind -= message.bytes;
        if (this.#behind <= this.#mostBehind / 2) this.#goOn();
        return;
      case 'events':
        for (const event of message.events) this.#emit(this.#listeners.get(message.recording), event);
        return;
      case 'done':
        this.#flushes.get(message.number)?.();
        this.#flushes.delete(message.number);
        if (this.#flushes.size === 0) this.#worker.unref();
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

  #goOn(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const act of waiting) act();
  }

  #die(): void {
    this.#isDead = true;
    clearTimeout(this.#timer);
    this.#acts = [];
    this.#behind = 0;
    this.#goOn();
    // Nobody else will end them.
    for (const { emit, open } of this.#listeners.values())
      for (const call of open)
        emit({ type: 'end', call, at: this.#now(), status: 'incomplete', message: BROKEN_OFF });
    this.#listeners.clear();
    for (const resolve of this.#flushes.values()) resolve();
    this.#flushes.clear();
  }
}

function memoryOf(act: ExchangeAct): ArrayBufferLike | undefined {
  return 'bytes' in act ? act.bytes.memory : undefined;
}

function weigh(act: ExchangeAct): number {
  return ACT_WEIGHT + (memoryOf(act)?.byteLength ?? 0);
}

/** Tells a thread what happens to an exchange. */
class ThreadExchange implements Exchange {
  readonly method: string;
  readonly isCard: boolean;
  hasReply = false;
  readonly #tell: (act: Told<ExchangeAct>) => void;
  readonly #tellBytes: (type: BytesAct['type'], bytes: Buffer) => void;

  constructor(
    { method, path }: PassingRequest,
    tell: (act: Told<ExchangeAct>) => void,
    tellBytes: (type: BytesAct['type'], bytes: Buffer) => void,
  ) {
    this.method = method;
    this.isCard = isCardPath(path);
    this.#tell = tell;
    this.#tellBytes = tellBytes;
  }

  judge(): Verdict {
    return PASSES;
  }

  requestBody(bytes: Buffer): void {
    this.#tellBytes('requestBody', bytes);
  }

  requestOver(): void {
    this.#tell({ type: 'requestOver' });
  }

  replyHead(line: string, status: number, headers: readonly KeptHeader[]): void {
    if (status >= 200 || status === 101) this.hasReply = true;
    this.#tell({ type: 'replyHead', line, status, headers });
  }

  replyBody(bytes: Buffer): void {
    this.#tellBytes('replyBody', bytes);
  }

  foreign(direction: 'out' | 'in', bytes: Buffer): void {
    // They may lie in memory that is used for more.
    this.#tellBytes(
      direction === 'out' ? 'foreignOut' : 'foreignIn',
      Buffer.from(Uint8Array.from(bytes).buffer),
    );
  }

  note(text: string): void {
    this.#tell({ type: 'note', text });
  }

  replyOver(): void {
    this.#tell({ type: 'replyOver' });
  }

  fail(outcome: ExchangeOutcome): void {
    this.#tell({ type: 'fail', outcome });
  }

  forget(): void {
    this.#tell({ type: 'forget' });
  }
}
