import { startOf } from '../core/text/utf8.ts';
import type { HeadEvent, KeptBytes, WireEvent } from '../core/events/events.ts';
import { keptLength, keptSize, saidBy } from '../core/events/said.ts';

/** How much of what was on the wire is wanted in each direction. */
export interface RoomLimits {
  readonly characters: number;
  readonly events: number;
  /** Whether there is so much room for the whole call, or for each message of it. */
  readonly of: 'call' | 'message';
}

type Direction = WireEvent['direction'];

/** What is left of the room in one direction. */
interface Room {
  characters: number;
  events: number;
  /** Bytes that found none. */
  leftOut: number;
  /** A head came: what follows is another message. */
  isNext: boolean;
}

/** Takes of what was on the wire of a call the beginning in each direction, and counts the rest, so that a long one is never held. */
export class PayloadRoom {
  readonly #limits: RoomLimits;
  readonly #rooms: Record<Direction, Room>;
  /** Events that found no room at all. */
  leftOut = 0;
  /** True once something found none. */
  isSpent = false;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
    this.#rooms = { out: this.#newRoom(), in: this.#newRoom(), stderr: this.#newRoom() };
  }

  /** Said bytes of a direction that found no room: of its last message, where each has its own. */
  leftOutOf(direction: Direction): number {
    return this.#rooms[direction].leftOut;
  }

  /** The event as far as there is room for it; undefined where there is none. */
  take(event: HeadEvent | WireEvent): HeadEvent | WireEvent | undefined {
    const { direction } = event;
    if (this.#limits.of === 'message') {
      if (event.type === 'head') {
        this.#rooms[direction].isNext = true;
        return event;
      }
      if (this.#rooms[direction].isNext) this.#rooms[direction] = this.#newRoom();
    }
    const room = this.#rooms[direction];
    const left = room.characters;
    if (left <= 0 || room.events <= 0) {
      this.leftOut++;
      this.isSpent = true;
      if (event.type === 'wire') room.leftOut += keptSize(saidBy(event));
      return undefined;
    }
    room.events--;
    if (event.type === 'head') return event;
    room.characters -= keptLength(event);
    if (room.characters >= 0) return event;
    this.isSpent = true;
    const { bytes, unpacked } = event;
    const cut = {
      ...event,
      bytes: cutBytes(bytes, left),
      ...(unpacked && { unpacked: cutBytes(unpacked, left) }),
    };
    room.leftOut += keptSize(saidBy(event)) - keptSize(saidBy(cut));
    return cut;
  }

  #newRoom(): Room {
    const { characters, events } = this.#limits;
    return { characters, events, leftOut: 0, isNext: false };
  }
}

/** The events that there is room for; all of them without a room. */
export function fitPayload(
  events: readonly (HeadEvent | WireEvent)[],
  room: PayloadRoom | undefined,
): readonly (HeadEvent | WireEvent)[] {
  return room ? events.flatMap(event => room.take(event) ?? []) : events;
}

/** The beginning of bytes: whole characters of a text, whole groups of Base64. */
function cutBytes(bytes: KeptBytes, length: number): KeptBytes {
  if ('base64' in bytes) return { base64: bytes.base64.slice(0, length - (length % 4)) };
  return { text: startOf(bytes.text, length) };
}
