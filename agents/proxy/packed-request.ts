import { isUtf8 } from 'node:buffer';
import { quote } from '../../core/text/quote.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { listPackings } from '../../core/events/headers.ts';
import { LONGEST_READ } from '../../protocols/recognise/request.ts';
import type { CallTracker } from '../call-tracker.ts';
import { unpackAtOnce } from './unpack.ts';

/** So many compressed bytes of a request are held until it is whole. */
const MOST_HELD = 16 * 2 ** 20;

const NOTHING = Buffer.alloc(0);

/** Tells something of a call once the call was told. */
type Tell = (act: (tracker: CallTracker) => void) => void;

/**
 * A request that is compressed. It is unpacked at once whenever somebody has to know what it says, because a guard cannot wait,
 * and held until it is whole: what it says is told with its first piece, or where its call ends before with the first of each part.
 */
export class PackedRequest {
  readonly #packings: readonly string[];
  readonly #held: { readonly bytes: Buffer; readonly at: number }[] = [];
  #length = 0;
  #read: { readonly length: number; readonly said: Buffer | undefined } = { length: 0, said: NOTHING };
  /** How many pieces were told, and how much of what they say. */
  #told = { pieces: 0, said: 0 };
  #isFull = false;
  /** The bytes themselves, where they are text. */
  #whole: Buffer | undefined;

  private constructor(packings: readonly string[]) {
    this.#packings = packings;
  }

  /** Undefined where the head says of no compression. */
  static of(headers: readonly KeptHeader[]): PackedRequest | undefined {
    const packings = listPackings(headers);
    return packings.length === 0 ? undefined : new PackedRequest(packings);
  }

  /** What it says, as far as it came; nothing where it cannot be read. */
  get said(): Buffer {
    return this.#unpack() ?? NOTHING;
  }

  push(bytes: Uint8Array, at: number, tell: Tell): void {
    const own = Buffer.from(bytes);
    if (this.#isFull) {
      tell(tracker => tracker.packedBytes('out', own, NOTHING, at));
      return;
    }
    this.#held.push({ bytes: own, at });
    this.#length += own.length;
    if (this.#length <= MOST_HELD) return;
    this.end(tell);
    this.#isFull = true;
    tell(tracker => tracker.note('The request is longer than is unpacked: its first 16 MiB are read'));
  }

  /** Its call is over: tells what came, where that can be read. More may come. */
  release(tell: Tell): void {
    const said = this.#unpack();
    if (said) this.#tell(said, tell);
  }

  /** It is whole: tells what was held. */
  end(tell: Tell): void {
    if (this.#told.pieces === this.#held.length) return;
    const said = this.#unpack();
    this.#tell(said, tell);
    const packing = quote(this.#packings.join(', '));
    if (said === undefined)
      tell(tracker => tracker.note(`The request is compressed as ${packing} and cannot be read: ${UNKNOWN}`));
    else if (said === this.#whole)
      tell(tracker => tracker.note(`The request is said to be compressed as ${packing}, and is not`));
    // Its beginning alone is asked for from here on.
    this.#held.length = 0;
    this.#told = { pieces: 0, said: 0 };
    this.#whole = undefined;
    this.#read = { length: this.#length, said: said && Buffer.from(said.subarray(0, LONGEST_READ)) };
  }

  #tell(said: Buffer | undefined, tell: Tell): void {
    const isPlain = said !== undefined && said === this.#whole;
    let beyond = said?.subarray(this.#told.said);
    for (const { bytes, at } of this.#held.slice(this.#told.pieces)) {
      const own = beyond;
      tell(tracker => {
        if (isPlain) tracker.bytes('out', bytes, at);
        else tracker.packedBytes('out', bytes, own, at);
      });
      beyond &&= NOTHING;
    }
    this.#told = { pieces: this.#held.length, said: said?.length ?? 0 };
  }

  #unpack(): Buffer | undefined {
    if (this.#read.length !== this.#length && !this.#isFull) {
      const whole = Buffer.concat(this.#held.map(({ bytes }) => bytes));
      this.#whole = isUtf8(whole) ? whole : undefined;
      this.#read = { length: this.#length, said: unpackAtOnce(whole, this.#packings) ?? this.#whole };
    }
    return this.#read.said;
  }
}

const UNKNOWN = 'what it asks is not known, and its names are those of its headers';
