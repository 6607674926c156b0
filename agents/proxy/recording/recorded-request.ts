import type { StoredHeader } from '../../../core/events/events.ts';
import { LONGEST_READ } from '../../../protocols/recognise/request.ts';
import type { CallTracker } from '../../call-tracker.ts';
import { PackedRequest } from './packed-request.ts';

/** The number of bytes of a request to wait for before its call is emitted; they contain its names. */
const LONGEST_WAIT = 64 * 1024;

type Act = (tracker: CallTracker) => void;

/** A request while it arrives: what was read of it, and what is emitted after its call. */
export class RecordedRequest {
  readonly #tracker: CallTracker;
  readonly #packed: PackedRequest | undefined;
  readonly #read: Uint8Array[] = [];
  #waiting: Act[] | undefined = [];
  #length = 0;

  constructor(tracker: CallTracker, headers: readonly StoredHeader[]) {
    this.#tracker = tracker;
    this.#packed = PackedRequest.of(headers);
  }

  /** The number of bytes that have arrived. */
  get length(): number {
    return this.#length;
  }
  /** True if it is too long to wait for the rest. */
  get isLong(): boolean {
    return this.#length > LONGEST_WAIT;
  }
  /** Its text, as far as it was read. */
  get text(): string {
    const bytes = this.#packed ? this.#packed.content.subarray(0, LONGEST_READ) : Buffer.concat(this.#read);
    return new TextDecoder().decode(bytes);
  }

  push(bytes: Uint8Array, at: number): void {
    const isRead = this.#length < LONGEST_READ && !this.#packed;
    // A copy, because these bytes may be a small part of memory that would be retained with them.
    const own = isRead || this.#waiting ? Buffer.from(bytes) : bytes;
    if (isRead) this.#read.push(own);
    this.#length += bytes.length;
    if (this.#packed) this.#packed.push(bytes, at, this.emit);
    else this.emit(tracker => tracker.bytes('out', own, { at }));
  }

  /** The request is complete. */
  end(): void {
    this.#packed?.end(this.emit);
  }

  /** Its call is over; more of the request may arrive. */
  release(): void {
    this.#packed?.release(this.emit);
  }

  /** Emits something about the call, once the call itself was emitted. */
  readonly emit = (act: Act): void => {
    if (this.#waiting) this.#waiting.push(act);
    else act(this.#tracker);
  };

  /** The call was emitted. */
  callEmitted(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const act of waiting) act(this.#tracker);
  }
}
