import {
  exactValue,
  readJsonPieces,
  readWhole,
  wholeOf,
  wholeSteps,
  writtenValue,
  type WholeValue,
} from '../../language/values/json-reader.ts';
import type { PieceList } from '../../language/values/text-layer.ts';
import { EventStreamParser, isSse, type StreamEvent } from '../../core/text/event-stream.ts';
import type { Value } from '../../core/values/value.ts';

/** The data of the last event of some servers' streams. */
const DONE = '[DONE]';

/** The name of the event that begins a stream of MCP 2024-11-05; its data is a URL and no message. */
const ENDPOINT = 'endpoint';

/** The number of characters after which the form of a body is decided. */
const LONGEST_START = 1_000;

/** An event of a reply, or a body that is no stream. It is parsed at most once, when its value is first needed. */
export class ReplyEvent {
  /** The data of the event. */
  readonly data: string;
  #parsed: { readonly whole: WholeValue | undefined } | undefined;

  /** `value` is that of the data, if the caller has it. */
  constructor(data: string, value?: Value) {
    this.data = data;
    if (value) this.#parsed = { whole: wholeOf(value) };
  }

  /** Parses the data in slices. */
  *parseSteps(): Generator<undefined, void> {
    this.#parsed ??= { whole: yield* wholeSteps(this.data) };
  }

  /** The value, if the data is exactly one. Numbers that no double represents are as they are written. */
  get value(): Value | undefined {
    return writtenValue(this.#whole);
  }

  /** The value, if it was read without loss. */
  get exactValue(): Value | undefined {
    return exactValue(this.#whole);
  }

  /** Releases the parsed value. */
  release(): void {
    this.#parsed = undefined;
  }

  get #whole(): WholeValue | undefined {
    return (this.#parsed ??= { whole: readWhole(this.data) }).whole;
  }

  /** The value, if the data is exactly one, also where parts of it were not read exactly. */
  get wholeValue(): Value | undefined {
    return this.#whole?.value;
  }

  /** The values in the data, which may be several or broken; none if it is not JSON. */
  get values(): readonly Value[] {
    return this.value ? [this.value] : this.readPieces().pieces.map(piece => piece.value);
  }

  /** The same of data that is not exactly one value, with what was not read exactly. */
  readPieces(): PieceList {
    return readJsonPieces(this.data);
  }
}

/** Whether a body is a stream of events. It is unknown before its first line or bracket. */
export type BodyForm = 'unknown' | 'events' | 'whole';

/**
 * Splits a reply into events while it arrives, if it is a stream of server-sent events; a body of any other form is
 * returned as text. Every reader of JSON replies uses it, so that all of them see the same events. Total, and linear.
 */
export class ReplyEvents {
  readonly #parser = new EventStreamParser(() => this.#foreignLines++);
  #form: BodyForm;
  /** Text that was not taken: before the form is known, and of a body that is no stream. */
  #rest: string[] = [];
  #foreignLines = 0;

  /** `form` is `whole` for protocols that have no event streams. */
  constructor(form: 'unknown' | 'whole' = 'unknown') {
    this.#form = form;
  }

  get form(): BodyForm {
    return this.#form;
  }

  /** Returns the events that this text completes. */
  push(text: string): readonly ReplyEvent[] {
    if (this.#form === 'events') return toEvents(this.#parser.push(text));
    this.#rest.push(text);
    return this.#form === 'unknown' ? this.#open('more may come') : [];
  }

  /** Ends the body. Returns the last event of a stream that was cut off. */
  end(): readonly ReplyEvent[] {
    const opened = this.#form === 'unknown' ? this.#open('all of it') : [];
    return this.#form === 'events' ? [...opened, ...toEvents(this.#parser.end())] : opened;
  }

  /** The text of a body that is no stream, since the last call; empty as long as the form is unknown. */
  takeRest(): string {
    if (this.#form !== 'whole') return '';
    const rest = this.#rest.join('');
    this.#rest = [];
    return rest;
  }

  /** True while an event is incomplete. */
  get isOpen(): boolean {
    return this.#parser.isOpen;
  }

  /** True if a client can resume the stream after its last id (WHATWG HTML 9.2.4). */
  get canResume(): boolean {
    return this.#parser.canResume;
  }

  /** The number of lines that belong to no event. */
  get foreignLines(): number {
    return this.#foreignLines;
  }

  /** Characters processed one by one; tests check that this is linear in the length of the reply. */
  get work(): number {
    return this.#parser.work;
  }

  #open(known: 'more may come' | 'all of it'): readonly ReplyEvent[] {
    const text = this.#rest.join('');
    this.#rest = [text];
    this.#form = findForm(text, known);
    if (this.#form !== 'events') return [];
    this.#rest = [];
    return toEvents(this.#parser.push(text));
  }
}

function findForm(text: string, known: 'more may come' | 'all of it'): BodyForm {
  const start = text.replace(/^\u{feff}/u, '').trimStart();
  if (/^[{[]/.test(start)) return 'whole';
  if (start.startsWith(':') || isSse(text)) return 'events';
  // A field name may have arrived in part. A long run of white space is examined only at the end.
  const mayBegin = known === 'more may come' && text.length < LONGEST_START && /^[a-z]{0,5}$/.test(start);
  return mayBegin ? 'unknown' : 'whole';
}

function toEvents(events: readonly StreamEvent[]): readonly ReplyEvent[] {
  return events.flatMap(({ data, name }) => {
    const isMessage = name !== ENDPOINT || /^\s*[{[]/.test(data);
    return isMessage && data.trim() !== '' && data.trim() !== DONE ? [new ReplyEvent(data)] : [];
  });
}
