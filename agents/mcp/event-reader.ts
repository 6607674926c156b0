import { EventStreamParser, type StreamEvent } from '../../core/text/event-stream.ts';
import { cutLines } from '../../core/text/line-splitter.ts';
import { fromByteText, toByteText } from '../stored-bytes.ts';

/** The bytes of a stream up to an empty line, to be passed on unchanged. */
export interface EventBytes {
  readonly bytes: Uint8Array;
  /** The event in them; undefined if they have no data, such as a heartbeat. */
  readonly event: StreamEvent | undefined;
}

/**
 * Splits the bytes of a stream of server-sent events after each event. The spans of the parser count characters, so
 * it gets line after line and is asked whether the event is over.
 */
export class EventReader {
  readonly #parser = new EventStreamParser();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** One character per byte. */
  #waiting: string[] = [];

  /** The events that these bytes complete. */
  push(bytes: Uint8Array): readonly EventBytes[] {
    const found: EventBytes[] = [];
    for (const line of cutLines(toByteText(bytes))) {
      this.#waiting.push(line);
      const [event] = this.#parser.push(this.#decoder.decode(fromByteText(line), { stream: true }));
      // The LF of a CRLF that is split over two chunks is passed on by itself.
      if (this.#parser.isBetweenEvents) found.push({ bytes: this.end(), event });
    }
    return found;
  }

  /** The bytes after the last complete event. */
  end(): Uint8Array {
    const rest = fromByteText(this.#waiting.join(''));
    this.#waiting = [];
    return rest;
  }
}
