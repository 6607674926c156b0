import { dataOf, listSseEvents } from '../../language/values/sse.ts';

/** An event of a stream, with its bytes. */
export interface ReadEvent {
  readonly bytes: Uint8Array;
  /** What its data are; undefined where it has none, such as a sign of life. */
  readonly data: string | undefined;
  /** True where it names a place in the stream, after which a broken one goes on. */
  readonly hasId: boolean;
}

/** An event ends with an empty line; lines end with CRLF, LF or CR. */
const EVENT_END = /\r\n\r\n|\n\n|\r\r/g;

/** Cuts a stream of server-sent events into its events, bytes and all. Linear in the bytes. */
export class EventReader {
  /** Each byte a character, so that a character that is split over two pieces is put together again. */
  #waiting: string[] = [];
  #tail = '';

  /** The events that are whole with these bytes. */
  push(bytes: Uint8Array): readonly ReadEvent[] {
    const added = Buffer.from(bytes).toString('latin1');
    // The end of an event may be split over two pieces.
    const both = this.#tail + added;
    EVENT_END.lastIndex = 0;
    if (!EVENT_END.test(both)) {
      this.#waiting.push(added);
      this.#tail = both.slice(-3);
      return [];
    }
    const all = this.#waiting.join('') + added;
    const events: ReadEvent[] = [];
    let from = 0;
    EVENT_END.lastIndex = 0;
    for (let found = EVENT_END.exec(all); found; found = EVENT_END.exec(all)) {
      events.push(readEvent(all.slice(from, EVENT_END.lastIndex)));
      from = EVENT_END.lastIndex;
    }
    const rest = all.slice(from);
    this.#waiting = [rest];
    this.#tail = rest.slice(-3);
    return events;
  }

  /** What came after the last whole event. */
  end(): Uint8Array {
    const rest = Buffer.from(this.#waiting.join(''), 'latin1');
    this.#waiting = [];
    this.#tail = '';
    return rest;
  }
}

function readEvent(block: string): ReadEvent {
  const bytes = Buffer.from(block, 'latin1');
  const text = bytes.toString('utf8');
  const [event] = listSseEvents(text, () => undefined);
  const hasId = /(?:^|[\r\n])id:/.test(block);
  return { bytes, hasId, data: event && dataOf(text, event) };
}
