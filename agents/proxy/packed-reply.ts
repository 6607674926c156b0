import { isUtf8 } from 'node:buffer';
import { quote } from '../../core/text/quote.ts';
import type { KeptHeader } from '../../core/events/events.ts';
import { listPackings } from '../../core/events/headers.ts';
import { Unpacker } from './unpack.ts';

/** What a piece of a compressed reply turned out to be. */
export interface PackedPiece {
  /** The compressed bytes: none but with the last piece of what they say. */
  readonly bytes: Uint8Array;
  /** What it says beyond the pieces before it; undefined where the reply cannot be read. */
  readonly said: Uint8Array | undefined;
  /** True where the reply is not compressed, whatever its head says. */
  readonly isPlain: boolean;
  /** What is odd about it. */
  readonly note?: string;
}

/** A reply that is compressed, unpacked as it comes. */
export class PackedReply {
  readonly #packing: string;
  readonly #unpacker: Unpacker | undefined;
  #hasSaid = false;
  /** Why nothing more of it is read. */
  #stopped: 'plain' | 'unread' | 'cut' | undefined;

  private constructor(packings: readonly string[], most: number | undefined) {
    this.#packing = quote(packings.join(', '));
    this.#unpacker = Unpacker.open(packings, most);
  }

  /** Undefined where the head says of no compression. `most` is how much it may unpack to, whatever comes. */
  static of(headers: readonly KeptHeader[], most?: number): PackedReply | undefined {
    const packings = listPackings(headers);
    return packings.length === 0 ? undefined : new PackedReply(packings, most);
  }

  /** What the next bytes are, by pieces. One read at a time. */
  async *read(bytes: Uint8Array): AsyncGenerator<PackedPiece, void> {
    if (this.#stopped !== undefined) {
      yield this.#pieceAfter(bytes);
      return;
    }
    let last: Uint8Array | undefined;
    for await (const said of this.#unpacker?.push(bytes) ?? []) {
      if (last) yield { bytes: EMPTY, said: last, isPlain: false };
      last = said;
      this.#hasSaid = true;
    }
    const fault = this.#unpacker ? this.#unpacker.fault : 'unknown';
    const piece = fault === undefined ? undefined : this.#stop(fault, bytes);
    if (!piece) yield { bytes, said: last ?? EMPTY, isPlain: false };
    else yield last ? { ...piece, said: last } : piece;
  }

  close(): void {
    this.#unpacker?.close();
  }

  #pieceAfter(bytes: Uint8Array): PackedPiece {
    return { bytes, said: this.#stopped === 'cut' ? EMPTY : undefined, isPlain: this.#stopped === 'plain' };
  }

  #stop(fault: 'unknown' | 'broken' | 'too long', bytes: Uint8Array): PackedPiece {
    this.#stopped = this.#hasSaid ? 'cut' : isUtf8(bytes) ? 'plain' : 'unread';
    return { ...this.#pieceAfter(bytes), note: this.#describe(this.#stopped, fault) };
  }

  #describe(stopped: 'plain' | 'unread' | 'cut', fault: 'unknown' | 'broken' | 'too long'): string {
    if (stopped === 'plain') return `The reply is said to be compressed as ${this.#packing}, and is not`;
    if (stopped === 'unread')
      return `The reply is compressed as ${this.#packing} and cannot be read: what came of the call is told by the HTTP status alone`;
    if (fault === 'too long')
      return 'The reply unpacks to far more than came of it: from there on it is not unpacked any more';
    return `The reply breaks off where it is unpacked (${this.#packing}): what follows cannot be read`;
  }
}

const EMPTY = new Uint8Array(0);
