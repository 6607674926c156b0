import type { ExchangeAct, Runs } from './recorder-messages.ts';
import { ReadMemory, SharedPages, type SharedPage } from './shared-pages.ts';

/** Acts wait so long for others that go with them, in milliseconds. */
const SEND_AFTER = 10;

/**
 * So many bytes within that time are a flood: what passes needs the processors then, so it is recorded in the next quiet
 * moment, or once it waited so long, in milliseconds, or is so much of what may wait.
 */
const FLOOD = 2 ** 18;
const LONGEST_FLOOD = 200;
const MOST_UNSENT = 3 / 4;

/**
 * What was reported is recorded within about this time, in milliseconds, on a busy machine too: what passes is held back while
 * more waits than was recorded in such a time before, or while that much did not get on for longer.
 */
const LONGEST_WAIT = 300;

/** Bytes that may wait however slowly they are recorded, and before it is known how fast that is. */
const LEAST_BEHIND = 2 ** 20;
const FIRST_BEHIND = 2 ** 22;

/** Messages of fewer bytes do not show how fast bytes are recorded. */
const LEAST_MEASURED = 2 ** 16;

/** How much the newest message counts in the measured speed. */
const NEWEST = 0.3;

/** About what an act takes beside the bytes that passed: heads and names. */
const ACT_WEIGHT = 1_000;

/** An act has so many bytes at most: texts that are longer get memory of their own, which takes as long as to write them. */
const LARGEST_ACT = 2 ** 16;

/** Messages to the thread have so many bytes, so that it writes one while it has yet to read the next. */
const LARGEST_MESSAGE = 2 ** 20;

/** Acts that hold bytes. */
type BytesAct = Extract<ExchangeAct, { readonly bytes: Runs }>;

/** The kinds of acts that hold bytes. */
export type BytesType = BytesAct['type'];

/** Acts that go together, and what they need until they are recorded. */
interface Message {
  readonly acts: ExchangeAct[];
  readonly pages: SharedPage[];
  /** When it was begun, and when it was sent. */
  readonly begunAt: number;
  sentAt: number;
  weight: number;
}

/** Where acts go, and how many may wait. */
export interface OutboxOptions {
  /** Sends acts to be recorded; `recorded` is called for each message, in order. */
  readonly send: (acts: readonly ExchangeAct[]) => void;
  readonly now: () => number;
  /** So many bytes may wait to be recorded. Beyond, what passes is to be held back. */
  readonly mostBehind: number;
}

/** What happened and is not recorded yet: acts that are to be sent, and those that were. */
export class ActOutbox {
  readonly #options: OutboxOptions;
  readonly #pages = new SharedPages();
  /** For what was read to memory of others. */
  readonly #copies = new ReadMemory(this.#pages);
  #unsent: Message[] = [];
  #sent: Message[] = [];
  /** What was told last, where that are bytes, and what tells their read from others. */
  #last: { readonly act: BytesAct; readonly read: unknown } | undefined;
  /** Of what is not sent, and of all. */
  #size = 0;
  #behind = 0;
  /** Bytes that are recorded in a millisecond, where that is known, and when the newest message was. */
  #speed: number | undefined;
  #recordedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** How many acts are to be sent. */
  get unsent(): number {
    return this.#unsent.reduce((count, { acts }) => count + acts.length, 0);
  }

  /** True while too much waits, or something for too long. */
  get isFull(): boolean {
    return this.#behind > this.#most || this.#isLate;
  }

  /** Bytes that may wait. */
  get #most(): number {
    const most =
      this.#speed === undefined ? FIRST_BEHIND : Math.max(LEAST_BEHIND, this.#speed * LONGEST_WAIT);
    return Math.min(most, this.#options.mostBehind);
  }

  get #isLate(): boolean {
    const oldest = this.#sent[0] ?? this.#unsent[0];
    return oldest !== undefined && this.#options.now() - oldest.begunAt > LONGEST_WAIT;
  }

  /** Calls once half of it is recorded, and nothing waits for too long. */
  whenFree(act: () => void): void {
    this.#waiting.add(act);
  }

  /** Memory whose bytes can be told without a copy. */
  openMemory(): ReadMemory {
    return new ReadMemory(this.#pages);
  }

  tell(act: ExchangeAct): void {
    this.#open().acts.push(act);
    this.#last = undefined;
    this.#weigh(ACT_WEIGHT);
  }

  /** Tells bytes of an exchange. What was read together is told together. */
  tellBytes(exchange: number, type: BytesType, bytes: Buffer): void {
    const page = this.#pages.find(bytes.buffer);
    const read = page ? page.read : bytes.buffer;
    for (let from = 0; from < bytes.length;) {
      const piece = bytes.subarray(from, from + LARGEST_ACT);
      const own = page ? piece : this.#copies.copy(piece);
      if (!this.#add(exchange, type, own, read)) this.#begin(exchange, type, own, read);
      from += own.length;
    }
  }

  /** Sends what waits to be. */
  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = undefined;
    this.#size = 0;
    const sentAt = this.#options.now();
    for (const message of this.#unsent.splice(0)) {
      message.sentAt = sentAt;
      this.#sent.push(message);
      this.#options.send(message.acts);
    }
  }

  /** The oldest message that was sent is recorded. */
  recorded(): void {
    const message = this.#sent.shift();
    if (message) {
      this.#measure(message);
      this.#forget(message);
    }
    if (this.#behind <= this.#most / 2 && !this.#isLate) this.#goOn();
  }

  /** Learns how fast bytes are recorded. */
  #measure({ weight, sentAt }: Message): void {
    const at = this.#options.now();
    const speed = weight / Math.max(1, at - Math.max(sentAt, this.#recordedAt));
    this.#recordedAt = at;
    if (weight < LEAST_MEASURED) return;
    this.#speed = this.#speed === undefined ? speed : this.#speed + NEWEST * (speed - this.#speed);
  }

  /** Nobody records any more. */
  drop(): void {
    clearTimeout(this.#timer);
    for (const message of [...this.#sent.splice(0), ...this.#unsent.splice(0)]) this.#forget(message);
    this.#last = undefined;
    this.#goOn();
  }

  /** Adds bytes to what was told last; false where they do not belong to it. */
  #add(exchange: number, type: BytesType, { buffer, byteOffset, length }: Buffer, read: unknown): boolean {
    const { act } = this.#last ?? {};
    if (!act || this.#last?.read !== read || act.exchange !== exchange || act.type !== type) return false;
    const { bytes } = act;
    if (bytes.memory !== buffer || bytes.length + length > LARGEST_ACT) return false;
    bytes.places.push(byteOffset, length);
    bytes.length += length;
    this.#weigh(length);
    return true;
  }

  #begin(
    exchange: number,
    type: BytesType,
    { buffer: memory, byteOffset, length }: Buffer,
    read: unknown,
  ): void {
    const bytes = { memory, places: [byteOffset, length], length };
    const act: BytesAct = { exchange, at: this.#options.now(), type, bytes };
    const message = this.#open();
    message.acts.push(act);
    const page = this.#pages.find(memory);
    if (page && message.pages.at(-1) !== page) {
      page.users++;
      message.pages.push(page);
    }
    this.#last = { act, read };
    this.#weigh(ACT_WEIGHT + length);
  }

  /** The message that takes the next act. */
  #open(): Message {
    const last = this.#unsent.at(-1);
    if (last && last.weight < LARGEST_MESSAGE) return last;
    const begunAt = this.#options.now();
    const message: Message = { acts: [], pages: [], begunAt, sentAt: begunAt, weight: 0 };
    this.#unsent.push(message);
    return message;
  }

  /** What was told last is so much. */
  #weigh(weight: number): void {
    const message = this.#unsent.at(-1);
    if (message) message.weight += weight;
    this.#size += weight;
    this.#behind += weight;
    if (this.#size >= this.#most * MOST_UNSENT) this.send();
    else this.#timer ??= setTimeout(() => this.#sendSoon(0), SEND_AFTER);
  }

  /** Sends what waits, or in a flood waits on: `before` bytes waited a moment ago. */
  #sendSoon(before: number): void {
    const size = this.#size;
    const waited = this.#options.now() - (this.#unsent[0]?.begunAt ?? 0);
    if (size - before < FLOOD || waited >= LONGEST_FLOOD) this.send();
    else this.#timer = setTimeout(() => this.#sendSoon(size), SEND_AFTER);
  }

  #forget({ pages, weight }: Message): void {
    this.#behind -= weight;
    for (const page of pages) this.#pages.release(page);
  }

  #goOn(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const act of waiting) act();
  }
}
