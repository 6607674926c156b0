import { startOf } from '../core/text/utf8.ts';
import type { HeadEvent, StoredBytes, WireEvent } from '../core/events/events.ts';
import { storedLength, storedSize, payloadOf } from '../core/events/payload.ts';

/** The maximum amount of payload that is read in each direction. */
export interface PayloadLimits {
  readonly characters: number;
  readonly events: number;
  /** Whether the limits apply to the whole call, or to each of its messages. */
  readonly of: 'call' | 'message';
}

type Direction = WireEvent['direction'];

/** The remaining capacity in one direction. */
interface Remaining {
  characters: number;
  events: number;
  /** The number of bytes that did not fit. */
  leftOut: number;
  /** True after a head: the following bytes belong to another message. */
  isNext: boolean;
}

/**
 * Takes the beginning of a call's payload in each direction and counts the rest, so that a long payload is
 * never stored.
 */
export class PayloadLimiter {
  readonly #limits: PayloadLimits;
  readonly #rooms: Record<Direction, Remaining>;
  /** The number of events that did not fit at all. */
  leftOut = 0;
  /** True once something did not fit. */
  isSpent = false;

  constructor(limits: PayloadLimits) {
    this.#limits = limits;
    this.#rooms = { out: this.#newRemaining(), in: this.#newRemaining(), stderr: this.#newRemaining() };
  }

  /** The number of uncompressed bytes of a direction that did not fit: of the last message, if limits apply to each. */
  leftOutOf(direction: Direction): number {
    return this.#rooms[direction].leftOut;
  }

  /** The event, cut to the remaining capacity; undefined if there is none. */
  take(event: HeadEvent | WireEvent): HeadEvent | WireEvent | undefined {
    const { direction } = event;
    if (this.#limits.of === 'message') {
      if (event.type === 'head') {
        this.#rooms[direction].isNext = true;
        return event;
      }
      if (this.#rooms[direction].isNext) this.#rooms[direction] = this.#newRemaining();
    }
    const limiter = this.#rooms[direction];
    const left = limiter.characters;
    if (left <= 0 || limiter.events <= 0) {
      this.leftOut++;
      this.isSpent = true;
      if (event.type === 'wire') limiter.leftOut += storedSize(payloadOf(event));
      return undefined;
    }
    limiter.events--;
    if (event.type === 'head') return event;
    limiter.characters -= storedLength(event);
    if (limiter.characters >= 0) return event;
    this.isSpent = true;
    const { bytes, unpacked } = event;
    const cut = {
      ...event,
      bytes: cutBytes(bytes, left),
      ...(unpacked && { unpacked: cutBytes(unpacked, left) }),
    };
    limiter.leftOut += storedSize(payloadOf(event)) - storedSize(payloadOf(cut));
    return cut;
  }

  #newRemaining(): Remaining {
    const { characters, events } = this.#limits;
    return { characters, events, leftOut: 0, isNext: false };
  }
}

/** The events that fit; all of them without a limit. */
export function fitPayload(
  events: readonly (HeadEvent | WireEvent)[],
  limiter: PayloadLimiter | undefined,
): readonly (HeadEvent | WireEvent)[] {
  return limiter ? events.flatMap(event => limiter.take(event) ?? []) : events;
}

/** Cuts bytes: whole characters of a text, whole groups of Base64. */
function cutBytes(bytes: StoredBytes, length: number): StoredBytes {
  if ('base64' in bytes) return { base64: bytes.base64.slice(0, length - (length % 4)) };
  return { text: startOf(bytes.text, length) };
}
