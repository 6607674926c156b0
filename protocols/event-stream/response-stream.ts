import type { EventFold } from './event-fold.ts';
import type { Message } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import type { EventRange, ProtocolShape, Reading, StreamReader, StreamShape } from '../message/shape.ts';

/** How the events of one protocol are folded into a response. */
interface ResponseEvents {
  readonly recognises: (value: Value) => boolean;
  /** True for an event that begins a response. */
  readonly begins: (event: Value) => boolean;
  readonly openFold: () => EventFold;
  /** Reads the whole response. */
  readonly read: ProtocolShape['read'];
}

/** A streamed reply, read as the whole response that its events make. */
export function responseStream(events: ResponseEvents): StreamShape {
  return { recognises: events.recognises, reader: reading => new ResponseStreamReader(events, reading) };
}

class ResponseStreamReader implements StreamReader {
  readonly #events: ResponseEvents;
  readonly #reading: Reading;
  #fold: EventFold | undefined;
  #range: EventRange | undefined;
  readonly #ranges = new WeakMap<Message, EventRange>();

  constructor(events: ResponseEvents, reading: Reading) {
    this.#events = events;
    this.#reading = reading;
  }

  push(event: Value): readonly Message[] {
    const isNext = this.#fold?.isOver === true && this.#events.begins(event);
    const before = isNext ? this.end() : [];
    this.#fold ??= this.#events.openFold();
    this.#fold.push(event);
    this.#range = { first: this.#range?.first ?? event, last: event };
    return before;
  }

  end(): readonly Message[] {
    const fold = this.#fold;
    const range = this.#range;
    this.#fold = undefined;
    this.#range = undefined;
    const whole = fold?.whole();
    const { report } = this.#reading;
    for (const note of fold?.notes ?? []) report.note(note);
    const read = whole && this.#events.read(whole, this.#reading);
    if (!read) return [];
    report.note(
      'A stream was read as one complete reply; its division into chunks and their times are not carried',
    );
    if (range) this.#ranges.set(read, range);
    return [read];
  }

  eventsOf(part: Message): EventRange | undefined {
    return this.#ranges.get(part);
  }
}
