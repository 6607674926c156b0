import { isUtf8 } from 'node:buffer';
import { quote } from '../../../core/text/quote.ts';
import type { StoredHeader } from '../../../core/events/events.ts';
import { listPackings } from '../../../core/events/headers.ts';
import { MAX_TIMES, MAX_UNPACKED, Unpacker } from '../../unpack.ts';

/** A piece of a compressed reply with its content. */
export interface PackedPiece {
  /** The compressed bytes; empty except with the last piece of their content. */
  readonly bytes: Uint8Array;
  /** The content beyond that of earlier pieces; undefined if the reply cannot be decompressed. */
  readonly content: Uint8Array | undefined;
  /** True if the reply is not compressed, although its head says so. */
  readonly isPlain: boolean;
  /** What is unexpected about it. */
  readonly note?: string;
}

const TOO_LONG = `The reply decompresses to more than ${MAX_UNPACKED / 2 ** 20} MiB, or to more than ${MAX_TIMES} times the bytes received: decompression stopped here`;

/** Decompresses a reply while it arrives. */
export class PackedReply {
  readonly #packing: string;
  readonly #unpacker: Unpacker | undefined;
  #hasContent = false;
  /** Why nothing more of it is read. */
  #stopped: 'plain' | 'unread' | 'cut' | undefined;

  private constructor(packings: readonly string[], most: number | undefined) {
    this.#packing = quote(packings.join(', '));
    this.#unpacker = Unpacker.open(packings, most);
  }

  /** Undefined if the head names no compression. `most`: the maximum number of decompressed bytes. */
  static of(headers: readonly StoredHeader[], most?: number): PackedReply | undefined {
    const packings = listPackings(headers);
    return packings.length === 0 ? undefined : new PackedReply(packings, most);
  }

  /** Decompresses the next bytes, in pieces. Only one read may run at a time. */
  async *read(bytes: Uint8Array): AsyncGenerator<PackedPiece, void> {
    if (this.#stopped !== undefined) {
      yield this.#pieceAfter(bytes);
      return;
    }
    let last: Uint8Array | undefined;
    for await (const content of this.#unpacker?.push(bytes) ?? []) {
      if (last) yield { bytes: EMPTY, content: last, isPlain: false };
      last = content;
      this.#hasContent = true;
    }
    const fault = this.#unpacker ? this.#unpacker.fault : 'unknown';
    const piece = fault === undefined ? undefined : this.#stop(fault, bytes);
    if (!piece) yield { bytes, content: last ?? EMPTY, isPlain: false };
    else yield last ? { ...piece, content: last } : piece;
  }

  close(): void {
    this.#unpacker?.close();
  }

  #pieceAfter(bytes: Uint8Array): PackedPiece {
    return {
      bytes,
      content: this.#stopped === 'cut' ? EMPTY : undefined,
      isPlain: this.#stopped === 'plain',
    };
  }

  #stop(fault: 'unknown' | 'broken' | 'too long', bytes: Uint8Array): PackedPiece {
    this.#stopped = this.#hasContent ? 'cut' : isUtf8(bytes) ? 'plain' : 'unread';
    return { ...this.#pieceAfter(bytes), note: this.#describe(this.#stopped, fault) };
  }

  #describe(stopped: 'plain' | 'unread' | 'cut', fault: 'unknown' | 'broken' | 'too long'): string {
    if (stopped === 'plain') return `The reply is declared as compressed with ${this.#packing}, and is not`;
    if (stopped === 'unread')
      return `The reply is compressed as ${this.#packing} and cannot be read: the outcome of the call is taken from the HTTP status alone`;
    if (fault === 'too long') return TOO_LONG;
    return `Decompression of the reply failed here (${this.#packing}): the rest cannot be read`;
  }
}

const EMPTY = new Uint8Array(0);
