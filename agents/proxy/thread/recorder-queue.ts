import type { ExchangeAct } from './recorder-messages.ts';

/** Milliseconds after which acts are sent to the recorder; acts of the same time are sent together. */
const SEND_AFTER = 10;

/** Acts of this many bytes are sent at once. */
const LARGEST_MESSAGE = 2 ** 20;

/** The maximum number of bytes of one act, so that no event of the recording takes long to read. */
const LARGEST_ACT = 2 ** 16;

/**
 * Traffic is also held back while a message waits for more than this number of milliseconds to be recorded, as on a busy
 * machine: what is not recorded is lost if the process is killed.
 */
const LONGEST_WAIT = 300;

/** The approximate size of an act without its bytes: heads and names. */
const ACT_SIZE = 1_000;

/** Acts that hold bytes. */
type BytesAct = Extract<ExchangeAct, { readonly bytes: Uint8Array }>;

/** The kinds of acts that hold bytes. */
export type BytesType = BytesAct['type'];

/** Bytes of an exchange that are not sent yet: what was read together from a socket is one act. */
interface OpenBytes {
  readonly act: Omit<BytesAct, 'bytes' | 'chunks'>;
  readonly read: ArrayBufferLike;
  readonly pieces: Buffer[];
  length: number;
  chunks: number;
}

/** The acts that are not recorded yet. Acts are sent in order, in messages; a full queue means that traffic has to wait. */
export class RecorderQueue {
  readonly #send: (acts: readonly ExchangeAct[]) => void;
  readonly #now: () => number;
  readonly #maxBehind: number;
  #acts: ExchangeAct[] = [];
  #open: OpenBytes | undefined;
  /** The size in bytes of what is not sent, and when its first act was added. */
  #unsent = 0;
  #unsentAt = 0;
  /** The messages that were sent and are not recorded. */
  #sent: { readonly size: number; readonly begunAt: number }[] = [];
  #behind = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();

  /** `recorded` must be called for each message that `send` gets, in order, once it is recorded. */
  constructor(send: (acts: readonly ExchangeAct[]) => void, now: () => number, maxBehind: number) {
    this.#send = send;
    this.#now = now;
    this.#maxBehind = maxBehind;
  }

  /** True while more bytes wait to be recorded than may, or a message waits too long. */
  get isFull(): boolean {
    return this.#behind > this.#maxBehind || this.#isLate;
  }

  get #isLate(): boolean {
    const begunAt = this.#sent[0]?.begunAt ?? (this.#unsent > 0 ? this.#unsentAt : Infinity);
    return this.#now() - begunAt > LONGEST_WAIT;
  }

  /** True if nothing waits to be sent. */
  get isEmpty(): boolean {
    return this.#unsent === 0;
  }

  /** Calls `act` once at most half of the bytes that may wait are waiting, and none for too long. */
  whenFree(act: () => void): void {
    this.#waiting.add(act);
  }

  add(act: ExchangeAct): void {
    this.#close();
    this.#acts.push(act);
    this.#grow(ACT_SIZE);
  }

  /** Adds bytes of an exchange, which the caller does not change any more. */
  addBytes(exchange: number, type: BytesType, bytes: Buffer): void {
    for (let from = 0; from < bytes.length; from += LARGEST_ACT)
      this.#addPiece(exchange, type, bytes.subarray(from, from + LARGEST_ACT), from === 0 ? 1 : 0);
  }

  /** Sends what is not sent yet. */
  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#close();
    if (this.#acts.length === 0) return;
    const acts = this.#acts;
    this.#sent.push({ size: this.#unsent, begunAt: this.#unsentAt });
    this.#acts = [];
    this.#unsent = 0;
    this.#send(acts);
  }

  /** The oldest message that was sent is recorded. */
  recorded(): void {
    this.#behind -= this.#sent.shift()?.size ?? 0;
    if (this.#behind <= this.#maxBehind / 2 && !this.#isLate) this.#release();
  }

  /** Forgets all acts, because nothing is recorded any more. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#acts = [];
    this.#open = undefined;
    this.#sent = [];
    this.#unsent = 0;
    this.#behind = 0;
    this.#release();
  }

  #addPiece(exchange: number, type: BytesType, piece: Buffer, chunks: 0 | 1): void {
    const open = this.#open;
    const isSame = open?.act.exchange === exchange && open.act.type === type && open.read === piece.buffer;
    if (open && isSame && open.length + piece.length <= LARGEST_ACT) {
      open.pieces.push(piece);
      open.length += piece.length;
      open.chunks += chunks;
      this.#grow(piece.length);
      return;
    }
    this.#close();
    const act = { exchange, at: this.#now(), type };
    this.#open = { act, read: piece.buffer, pieces: [piece], length: piece.length, chunks };
    this.#grow(ACT_SIZE + piece.length);
  }

  /** Copies the open bytes: their memory belongs to the socket that read them and may be much larger. */
  #close(): void {
    if (!this.#open) return;
    const { act, pieces, length, chunks } = this.#open;
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    this.#acts.push({ ...act, bytes, chunks });
    this.#open = undefined;
  }

  #grow(size: number): void {
    if (this.#unsent === 0) this.#unsentAt = this.#now();
    this.#unsent += size;
    this.#behind += size;
    if (this.#unsent >= LARGEST_MESSAGE) this.send();
    else this.#timer ??= setTimeout(() => this.send(), SEND_AFTER);
  }

  #release(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const act of waiting) act();
  }
}
