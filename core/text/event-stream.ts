import { cutLines, LineSplitter, type Line } from './line-splitter.ts';
import type { Span } from './span.ts';

/** An event with data in a stream of server-sent events (WHATWG HTML 9.2.6). */
export interface StreamEvent {
  /** The span from its first field to the end of its last. */
  readonly span: Span;
  /** The values of its `data` lines, joined by LF. */
  readonly data: string;
  /** The values of its `data` lines. */
  readonly lines: readonly Line[];
  /** The value of its `event` field, if any. */
  readonly name?: string;
  /** True if it has an id, after which a client can resume the stream. */
  readonly hasId: boolean;
}

const FIELD = /^(data|event|id|retry)(?:: ?|[\r\n]|$)/;
const BOM = '\u{feff}';

/**
 * Parses a stream of server-sent events while it arrives. An event ends with an empty line; LF, CRLF and CR end lines;
 * a BOM at the start is skipped. Linear: each character is searched once and joined once.
 */
export class EventStreamParser {
  readonly #lines = new LineSplitter();
  readonly #onForeign: (line: Span) => void;
  #span: Span | undefined;
  #data: Line[] = [];
  #name = '';
  #hasId = false;
  #isBetweenEvents = true;
  #canResume = false;
  #work = 0;

  /** `onForeign` is called for each line that is neither a field nor a comment nor white space. */
  constructor(onForeign: (line: Span) => void = () => undefined) {
    this.#onForeign = onForeign;
  }

  /** Returns the events that this text completes. */
  push(text: string): readonly StreamEvent[] {
    this.#work += text.length;
    const events: StreamEvent[] = [];
    for (const line of this.#lines.push(text)) this.#read(line, events);
    return events;
  }

  /** Returns the last event of a stream that was cut before its empty line. */
  end(): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    this.#read(this.#lines.end(), events);
    this.#close(events);
    return events;
  }

  /** True while an event with data, or a line, is incomplete. */
  get isOpen(): boolean {
    return this.#data.length > 0 || this.#lines.isOpen;
  }

  /** True at the start and after an empty line. */
  get isBetweenEvents(): boolean {
    return this.#isBetweenEvents && !this.#lines.isOpen;
  }

  /** True if the stream has a last id, with which a client can resume it. */
  get canResume(): boolean {
    return this.#canResume;
  }

  /** Characters searched and joined; tests check that this is linear in the length of the stream. */
  get work(): number {
    return this.#work;
  }

  /** Reads a line; adds the event that it completes, if any. */
  #read({ text, start, end }: Line, events: StreamEvent[]): void {
    const line = start === 0 && text.startsWith(BOM) ? text.slice(1) : text;
    this.#work += line.length;
    this.#isBetweenEvents = line === '';
    if (line === '') {
      this.#close(events);
      return;
    }
    const span = { start: end - line.length, end };
    const field = FIELD.exec(line);
    if (!field) {
      if (!line.startsWith(':') && line.trim() !== '') this.#onForeign(span);
      return;
    }
    this.#span = { start: this.#span?.start ?? span.start, end };
    const value = line.slice(field[0].length);
    if (field[1] === 'data') this.#data.push({ text: value, start: end - value.length, end });
    else if (field[1] === 'event') this.#name = value;
    else if (field[1] === 'id' && !value.includes('\0')) {
      this.#hasId = value !== '';
      this.#canResume = this.#hasId;
    }
  }

  /** Ends an event. */
  #close(events: StreamEvent[]): void {
    const [span, lines, name, hasId] = [this.#span, this.#data, this.#name, this.#hasId];
    this.#span = undefined;
    this.#data = [];
    this.#name = '';
    this.#hasId = false;
    if (!span || lines.length === 0) return;
    const data = lines.map(({ text }) => text).join('\n');
    events.push({ span, data, lines, hasId, ...(name === '' ? {} : { name }) });
  }
}

/** The number of characters that are read at a time. */
const PIECE = 1 << 14;

/** The events of a whole text. The last one is included even if the stream was cut within it. */
export function* listSseEvents(text: string, onForeign?: (line: Span) => void): Generator<StreamEvent, void> {
  const parser = new EventStreamParser(onForeign);
  for (let at = 0; at < text.length; at += PIECE) yield* parser.push(text.slice(at, at + PIECE));
  yield* parser.end();
}

/** The data of each event of a whole text. */
export function listSseData(text: string): readonly string[] {
  return [...listSseEvents(text)].map(({ data }) => data);
}

/** True if the first line of a text that is neither a comment nor white space is a field of an event. */
export function isSse(text: string): boolean {
  // A quick check, because most texts are not streams and may be one long line.
  if (!/^\uFEFF?[deir:\s]/.test(text)) return false;
  for (const line of cutLines(text.startsWith(BOM) ? text.slice(1) : text)) {
    if (FIELD.test(line)) return true;
    if (!line.startsWith(':') && line.trim() !== '') return false;
  }
  return false;
}
