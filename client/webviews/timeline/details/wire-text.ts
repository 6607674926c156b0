import { readBytes, printBytes, type ShownBytes, type ShownLimits } from '../../../../core/events/bytes.ts';
import type { StoredBytes, WireEvent } from '../../../../core/events/events.ts';
import { sizeOf, payloadOf } from '../../../../core/events/payload.ts';

/** The limits of displayed bytes. The trace contains all of them. */
const LIMITS: ShownLimits = { text: 256 * 1024, other: 16 * 1024 };

/** The compressed form of bytes. */
export interface PackedText extends Pick<ShownBytes, 'kind' | 'text'> {
  /** The number of bytes on the wire. */
  readonly bytes: number;
}

/**
 * Shows bytes as text if they are UTF-8, else as a hex dump. Each event is decoded only once, because a
 * stream is shown again with every chunk.
 */
export class WireReader {
  readonly #pieces = new WeakMap<StoredBytes, Uint8Array>();

  /** Shows the decompressed bytes. */
  read(events: readonly WireEvent[]): ShownBytes {
    return this.#show(events.map(payloadOf));
  }

  /** Shows the same bytes in their compressed form; undefined if they were not compressed. */
  readPacked(events: readonly WireEvent[]): PackedText | undefined {
    if (!events.some(({ unpacked }) => unpacked)) return undefined;
    const { kind, text } = this.#show(events.map(event => event.bytes));
    return { kind, text, bytes: events.reduce((sum, event) => sum + sizeOf(event), 0) };
  }

  #show(stored: readonly StoredBytes[]): ShownBytes {
    return printBytes(
      stored.map(each => this.#piece(each)),
      LIMITS,
    );
  }

  #piece(stored: StoredBytes): Uint8Array {
    const bytes = this.#pieces.get(stored) ?? readBytes(stored);
    this.#pieces.set(stored, bytes);
    return bytes;
  }
}
