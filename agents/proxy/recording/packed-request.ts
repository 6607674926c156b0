import { isUtf8 } from 'node:buffer';
import { quote } from '../../../core/text/quote.ts';
import type { StoredHeader } from '../../../core/events/events.ts';
import { listPackings } from '../../../core/events/headers.ts';
import { LONGEST_READ } from '../../../protocols/recognise/request.ts';
import type { CallTracker } from '../../call-tracker.ts';
import { unpackAtOnce } from '../../unpack.ts';

/** The maximum number of compressed bytes of a request that are held until it is complete. */
const MAX_HELD = 16 * 2 ** 20;

const NOTHING = Buffer.alloc(0);

/** Emits something about a call, once the call itself was emitted. */
type EmitLater = (act: (tracker: CallTracker) => void) => void;

/**
 * A compressed request. Its content is decompressed at once whenever it is needed, because a guard cannot
 * wait. Its bytes are held until it is complete. The content is emitted with the first piece or, if the call
 * ends earlier, with the first piece of each part.
 */
export class PackedRequest {
  readonly #packings: readonly string[];
  readonly #held: { readonly bytes: Buffer; readonly at: number }[] = [];
  #length = 0;
  #read: { readonly length: number; readonly content: Buffer | undefined } = { length: 0, content: NOTHING };
  /** The number of pieces, and of bytes of their content, that were emitted. */
  #reported = { pieces: 0, content: 0 };
  #isFull = false;
  /** The bytes themselves, if they are UTF-8 text. */
  #whole: Buffer | undefined;

  private constructor(packings: readonly string[]) {
    this.#packings = packings;
  }

  /** Undefined if the head names no compression. */
  static of(headers: readonly StoredHeader[]): PackedRequest | undefined {
    const packings = listPackings(headers);
    return packings.length === 0 ? undefined : new PackedRequest(packings);
  }

  /** The content so far; empty if it cannot be read. */
  get content(): Buffer {
    return this.#unpack() ?? NOTHING;
  }

  push(bytes: Uint8Array, at: number, report: EmitLater): void {
    const own = Buffer.from(bytes);
    if (this.#isFull) {
      report(tracker => tracker.packedBytes('out', own, NOTHING, { at }));
      return;
    }
    this.#held.push({ bytes: own, at });
    this.#length += own.length;
    if (this.#length <= MAX_HELD) return;
    this.end(report);
    this.#isFull = true;
    report(tracker =>
      tracker.note('The request is longer than Parley decompresses: only its first 16 MiB are read'),
    );
  }

  /** The call is over: emits what has arrived, if it can be read. More may follow. */
  release(report: EmitLater): void {
    const content = this.#unpack();
    if (content) this.#report(content, report);
  }

  /** The request is complete: emits what was held. */
  end(report: EmitLater): void {
    if (this.#reported.pieces === this.#held.length) return;
    const content = this.#unpack();
    this.#report(content, report);
    const packing = quote(this.#packings.join(', '));
    if (content === undefined)
      report(tracker =>
        tracker.note(`The request is compressed as ${packing} and cannot be read: ${UNKNOWN}`),
      );
    else if (content === this.#whole)
      report(tracker => tracker.note(`The request is declared as compressed with ${packing}, and is not`));
    // From here on, only its beginning is needed.
    this.#held.length = 0;
    this.#reported = { pieces: 0, content: 0 };
    this.#whole = undefined;
    this.#read = { length: this.#length, content: content && Buffer.from(content.subarray(0, LONGEST_READ)) };
  }

  #report(content: Buffer | undefined, report: EmitLater): void {
    const isPlain = content !== undefined && content === this.#whole;
    let beyond = content?.subarray(this.#reported.content);
    for (const { bytes, at } of this.#held.slice(this.#reported.pieces)) {
      const own = beyond;
      report(tracker => {
        if (isPlain) tracker.bytes('out', bytes, { at });
        else tracker.packedBytes('out', bytes, own, { at });
      });
      beyond &&= NOTHING;
    }
    this.#reported = { pieces: this.#held.length, content: content?.length ?? 0 };
  }

  #unpack(): Buffer | undefined {
    if (this.#read.length !== this.#length && !this.#isFull) {
      const whole = Buffer.concat(this.#held.map(({ bytes }) => bytes));
      this.#whole = isUtf8(whole) ? whole : undefined;
      this.#read = { length: this.#length, content: unpackAtOnce(whole, this.#packings) ?? this.#whole };
    }
    return this.#read.content;
  }
}

const UNKNOWN = 'its content is unknown, and its names are taken from its headers';
