import { EventStreamParser, type StreamEvent } from '../../core/text/event-stream.ts';
import { cutLines } from '../../core/text/line-splitter.ts';
import { toByteText } from '../stored-bytes.ts';

/** The bytes of a stream up to an empty line, to be passed on unchanged. */
export interface EventBytes {
  readonly bytes: Uint8Array;
  /** The event in them; undefined if they have no data, such as a heartbeat. */
  readonly event: StreamEvent | undefined;
}

/**
 * Splits the bytes of a stream of server-sent events after each event. The spans of the parser count characters, so
 * it gets line after line and is asked whether the event is over. A line is decoded when it is complete: its text may take
 * twice as much as its bytes.
 */
export class EventReader {
  readonly #parser = new EventStreamParser();
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The bytes of the event, and those of its line. */
  #waiting: Uint8Array[] = [];
  #line: Uint8Array[] = [];

  /** The events that these bytes complete. */
  push(bytes: Uint8Array): readonly EventBytes[] {
    const found: EventBytes[] = [];
    let at = 0;
    for (const line of cutLines(toByteText(bytes))) {
      const own = bytes.subarray(at, at + line.length);
      at += line.length;
      this.#waiting.push(own);
      this.#line.push(own);
      if (!LINE_END.test(line)) continue;
      const text = this.#decoder.decode(Buffer.concat(this.#line), { stream: true });
      this.#line = [];
      const [event] = this.#parser.push(text);
      // The LF of a CRLF that is split over two chunks is passed on by itself.
      if (this.#parser.isBetweenEvents) found.push({ bytes: this.end(), event });
    }
    return found;
  }

  /** The bytes after the last complete event. */
  end(): Uint8Array {
    const rest = Buffer.concat(this.#waiting);
    this.#waiting = [];
    return rest;
  }
}

const LINE_END = /[\r\n]$/;
