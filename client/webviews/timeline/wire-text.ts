import { readBytes } from '../../../core/events/bytes.ts';
import type { KeptBytes, WireEvent } from '../../../core/events/events.ts';
import { sizeOf } from '../../../core/events/marks.ts';
import { saidBy } from '../../../core/events/said.ts';
import { printBytes, type ShownBytes, type ShownLimits } from '../../../core/events/shown-bytes.ts';

/** The trace keeps all of them. */
const LIMITS: ShownLimits = { text: 256 * 1024, other: 16 * 1024 };

/** Bytes that came compressed, beside what they say. */
export interface PackedText extends Pick<ShownBytes, 'kind' | 'text'> {
  /** Bytes as they were on the wire. */
  readonly bytes: number;
}

/** Shows bytes as text where they are UTF-8, else as a hex dump. Reads each event once, as a stream is shown with every chunk. */
export class WireReader {
  readonly #pieces = new WeakMap<KeptBytes, Uint8Array>();

  /** What they say. */
  read(events: readonly WireEvent[]): ShownBytes {
    return this.#show(events.map(saidBy));
  }

  /** The same bytes as they came; undefined where they were not compressed. */
  readPacked(events: readonly WireEvent[]): PackedText | undefined {
    if (!events.some(({ unpacked }) => unpacked)) return undefined;
    const { kind, text } = this.#show(events.map(event => event.bytes));
    return { kind, text, bytes: events.reduce((sum, event) => sum + sizeOf(event), 0) };
  }

  #show(kept: readonly KeptBytes[]): ShownBytes {
    return printBytes(
      kept.map(each => this.#piece(each)),
      LIMITS,
    );
  }

  #piece(kept: KeptBytes): Uint8Array {
    const bytes = this.#pieces.get(kept) ?? readBytes(kept);
    this.#pieces.set(kept, bytes);
    return bytes;
  }
}
