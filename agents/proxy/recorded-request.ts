import type { KeptHeader } from '../../core/events/events.ts';
import { LONGEST_READ } from '../../protocols/recognise/request.ts';
import type { CallTracker } from '../call-tracker.ts';
import { PackedRequest } from './packed-request.ts';

/** So much of a request is waited for before its call is told, in bytes; the names that it carries stand in it. */
const LONGEST_WAIT = 64 * 1024;

type Act = (tracker: CallTracker) => void;

/** A request as it comes: what is to be read of it, and what waits to be told until its call is. */
export class RecordedRequest {
  readonly #tracker: CallTracker;
  readonly #packed: PackedRequest | undefined;
  readonly #read: Uint8Array[] = [];
  #waiting: Act[] | undefined = [];
  #length = 0;

  constructor(tracker: CallTracker, headers: readonly KeptHeader[]) {
    this.#tracker = tracker;
    this.#packed = PackedRequest.of(headers);
  }

  /** How many bytes of it came. */
  get length(): number {
    return this.#length;
  }
  /** True where it is too long to wait for the rest. */
  get isLong(): boolean {
    return this.#length > LONGEST_WAIT;
  }
  /** Its text, as far as it is read. */
  get text(): string {
    const bytes = this.#packed ? this.#packed.said.subarray(0, LONGEST_READ) : Buffer.concat(this.#read);
    return new TextDecoder().decode(bytes);
  }

  push(bytes: Uint8Array, at: number): void {
    const isRead = this.#length < LONGEST_READ && !this.#packed;
    // Its memory is good for now only.
    const own = isRead || this.#waiting ? Buffer.from(bytes) : bytes;
    if (isRead) this.#read.push(own);
    this.#length += bytes.length;
    if (this.#packed) this.#packed.push(bytes, at, this.tell);
    else this.tell(tracker => tracker.bytes('out', own, at));
  }

  /** It is whole. */
  end(): void {
    this.#packed?.end(this.tell);
  }

  /** Its call is over: more of it may come. */
  release(): void {
    this.#packed?.release(this.tell);
  }

  /** Tells something of the call, once that was told. */
  readonly tell = (act: Act): void => {
    if (this.#waiting) this.#waiting.push(act);
    else act(this.#tracker);
  };

  /** The call was told. */
  callTold(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const act of waiting) act(this.#tracker);
  }
}
