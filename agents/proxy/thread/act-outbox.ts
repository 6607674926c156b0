import type { ActBytes, ExchangeAct } from './recorder-messages.ts';

/** Milliseconds that acts wait for others to be sent together with them. */
const SEND_AFTER = 10;

/**
 * FLOOD bytes or more within SEND_AFTER are a flood. The processors are then needed for the traffic, so
 * recording waits for a quiet moment: at most LONGEST_FLOOD milliseconds, or until the share MAX_UNSENT of
 * the bytes that may wait is unsent.
 */
const FLOOD = 2 ** 18;
const LONGEST_FLOOD = 200;
const MAX_UNSENT = 3 / 4;

/**
 * The recording stays within about this many milliseconds of the traffic, also on a busy machine: traffic is
 * held back while more bytes wait than can be recorded in this time, or while a message waits longer.
 */
const LONGEST_WAIT = 300;

/** The bytes that may always wait, however slow the recording is, and those that may wait until its speed is known. */
const LEAST_BEHIND = 2 ** 20;
const FIRST_BEHIND = 2 ** 22;

/** Messages of fewer bytes are too small to measure the recording speed. */
const LEAST_MEASURED = 2 ** 16;

/** The weight of the newest message in the measured speed. */
const NEWEST = 0.3;

/** The approximate size of an act without its traffic: heads and names. */
const ACT_WEIGHT = 1_000;

/** The maximum number of bytes in an act. Longer texts get memory of their own, which takes as long as writing them. */
const LARGEST_ACT = 2 ** 16;

/** A message of this many bytes is full, so that the thread can write one while the next one is waiting. */
const LARGEST_MESSAGE = 2 ** 20;

/** The size of a message's memory at first; when it is full, it grows to that of the largest message. */
const FIRST_MEMORY = 2 ** 16;

/** Acts that hold bytes. */
type BytesAct = Extract<ExchangeAct, { readonly bytes: ActBytes }>;

/** The kinds of acts that hold bytes. */
export type BytesType = BytesAct['type'];

/** Acts that are sent together. */
interface Message {
  readonly acts: ExchangeAct[];
  /** Copies of their bytes, one after the other. */
  memory: Buffer<ArrayBuffer> | undefined;
  used: number;
  /** When it was begun, and when it was sent. */
  readonly begunAt: number;
  sentAt: number;
  weight: number;
}

/** How acts are sent, and how many bytes may wait. */
export interface OutboxOptions {
  /**
   * Sends acts to be recorded, with the memory of their bytes. `recorded` has to be called for each message, in
   * order, once that is done.
   */
  readonly send: (acts: readonly ExchangeAct[], memory: Uint8Array<ArrayBuffer> | undefined) => void;
  readonly now: () => number;
  /** The maximum number of bytes that may wait to be recorded. Beyond it, traffic has to be held back. */
  readonly maxBehind: number;
}

/** The acts that are not recorded yet: those still to be sent, and those that were sent. */
export class ActOutbox {
  readonly #options: OutboxOptions;
  #unsent: Message[] = [];
  #sent: Message[] = [];
  /** The last act if it holds bytes, with its message and the memory that they were read to. */
  #last: { readonly act: BytesAct; readonly message: Message; readonly read: unknown } | undefined;
  /** The bytes that are not sent, and all bytes that are not recorded. */
  #size = 0;
  #behind = 0;
  /** The recording speed in bytes per millisecond, if known, and when the last message was recorded. */
  #speed: number | undefined;
  #recordedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** The number of acts that are not sent yet. */
  get unsent(): number {
    return this.#unsent.reduce((count, { acts }) => count + acts.length, 0);
  }

  /** True while too many bytes wait, or a message waits too long. */
  get isFull(): boolean {
    return this.#behind > this.#most || this.#isLate;
  }

  /** The maximum number of bytes that may wait now. */
  get #most(): number {
    const most =
      this.#speed === undefined ? FIRST_BEHIND : Math.max(LEAST_BEHIND, this.#speed * LONGEST_WAIT);
    return Math.min(most, this.#options.maxBehind);
  }

  get #isLate(): boolean {
    const oldest = this.#sent[0] ?? this.#unsent[0];
    return oldest !== undefined && this.#options.now() - oldest.begunAt > LONGEST_WAIT;
  }

  /** Calls `act` once half of the bytes that may wait, or fewer, are waiting, and none for too long. */
  whenFree(act: () => void): void {
    this.#waiting.add(act);
  }

  tell(act: ExchangeAct): void {
    this.#open().acts.push(act);
    this.#last = undefined;
    this.#weigh(ACT_WEIGHT);
  }

  /** Adds bytes of an exchange. Bytes of one read are put into one act. */
  emitBytes(exchange: number, type: BytesType, bytes: Buffer): void {
    for (let from = 0; from < bytes.length;) {
      const message = this.#open();
      const memory = this.#memoryOf(message);
      const act = this.#actFor(exchange, type, message, bytes.buffer);
      const end = from + LARGEST_ACT - act.bytes.length;
      const length = bytes.copy(memory, message.used, from, Math.min(end, bytes.length));
      message.used += length;
      act.bytes.length += length;
      from += length;
      this.#weigh(act.bytes.length === length ? ACT_WEIGHT + length : length);
    }
  }

  /** Sends the acts that are not sent yet. */
  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = undefined;
    this.#size = 0;
    const sentAt = this.#options.now();
    for (const message of this.#unsent.splice(0)) {
      message.sentAt = sentAt;
      this.#sent.push(message);
      this.#options.send(message.acts, message.memory);
    }
  }

  /** The oldest message that was sent is now recorded. */
  recorded(): void {
    const message = this.#sent.shift();
    if (message) {
      this.#measure(message);
      this.#behind -= message.weight;
    }
    if (this.#behind <= this.#most / 2 && !this.#isLate) this.#goOn();
  }

  /** Updates the recording speed. */
  #measure({ weight, sentAt }: Message): void {
    const at = this.#options.now();
    const speed = weight / Math.max(1, at - Math.max(sentAt, this.#recordedAt));
    this.#recordedAt = at;
    if (weight < LEAST_MEASURED) return;
    this.#speed = this.#speed === undefined ? speed : this.#speed + NEWEST * (speed - this.#speed);
  }

  /** Forgets all acts, because nothing is recorded any more. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#sent = [];
    this.#unsent = [];
    this.#behind = 0;
    this.#last = undefined;
    this.#goOn();
  }

  /** The memory of a message, with room for more bytes. */
  #memoryOf(message: Message): Buffer {
    const { memory, used } = message;
    if (memory && used < memory.length) return memory;
    const larger = Buffer.allocUnsafeSlow(memory ? LARGEST_MESSAGE : FIRST_MEMORY);
    memory?.copy(larger);
    message.memory = larger;
    return larger;
  }

  /** The last act if it holds bytes of the same read and has room for more; otherwise a new one. */
  #actFor(exchange: number, type: BytesType, message: Message, read: unknown): BytesAct {
    const last = this.#last;
    if (last && last.read === read && last.message === message) {
      const { act } = last;
      if (act.exchange === exchange && act.type === type && act.bytes.length < LARGEST_ACT) return act;
    }
    const bytes = { from: message.used, length: 0 };
    const begun: BytesAct = { exchange, at: this.#options.now(), type, bytes };
    message.acts.push(begun);
    this.#last = { act: begun, message, read };
    return begun;
  }

  /** The message for the next act. */
  #open(): Message {
    const last = this.#unsent.at(-1);
    if (last && last.weight < LARGEST_MESSAGE) return last;
    const begunAt = this.#options.now();
    const message: Message = { acts: [], memory: undefined, used: 0, begunAt, sentAt: begunAt, weight: 0 };
    this.#unsent.push(message);
    return message;
  }

  /** Adds to the weight of the newest message, and sends it now or later. */
  #weigh(weight: number): void {
    const message = this.#unsent.at(-1);
    if (message) message.weight += weight;
    this.#size += weight;
    this.#behind += weight;
    if (this.#size >= this.#most * MAX_UNSENT) this.send();
    else this.#timer ??= setTimeout(() => this.#sendSoon(0), SEND_AFTER);
  }

  /** Sends the unsent acts, or waits longer during a flood. `before` is their size at the last check, in bytes. */
  #sendSoon(before: number): void {
    const size = this.#size;
    const waited = this.#options.now() - (this.#unsent[0]?.begunAt ?? 0);
    if (size - before < FLOOD || waited >= LONGEST_FLOOD) this.send();
    else this.#timer = setTimeout(() => this.#sendSoon(size), SEND_AFTER);
  }

  #goOn(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const act of waiting) act();
  }
}
