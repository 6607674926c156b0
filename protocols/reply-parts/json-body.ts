import { readJsonPieces, readWrittenJson, writtenJsonSteps } from '../../language/values/json-reader.ts';
import { ReplyEvents, type ReplyEvent } from '../event-stream/reply-events.ts';
import { LineSplitter } from '../../core/text/line-splitter.ts';
import type { Value } from '../../core/values/value.ts';
import { countOf } from '../../core/text/count.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { TimeSpan } from './piece-times.ts';

/**
 * Splits a body into JSON values with their arrival times: the data of server-sent events, lines of JSON, or
 * one document, which is read when it is complete.
 */
export class JsonBody {
  readonly #take: (value: Value, span: TimeSpan) => void;
  readonly #events = new ReplyEvents();
  readonly #lines = new JsonLines();
  /** True for a body that is neither a stream of events nor JSON; undefined before it begins. */
  #isForeign: boolean | undefined;
  #begunAt: number | undefined;
  #until = 0;
  #isOver = false;
  #broken = 0;

  constructor(take: (value: Value, span: TimeSpan) => void) {
    this.#take = take;
  }

  push(text: string, at: number): void {
    this.#begunAt ??= at;
    this.#until = at;
    runAtOnce(this.#takeSteps(this.#events.push(text)));
  }

  /** Ends the body; a single document is read now, in slices. */
  *endSteps(): Generator<undefined, void> {
    this.#isOver = true;
    yield* this.#takeSteps(this.#events.end());
    if (this.#isForeign === false) yield* this.#lineSteps(this.#lines.end());
  }

  /** True once the whole body arrived. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** True for a stream of events. */
  get isStream(): boolean {
    return this.#events.form === 'events';
  }

  get notes(): readonly string[] {
    const notes: string[] = [];
    if (this.#isForeign) notes.push('The reply is not of this protocol: see the raw reply');
    if (this.#broken > 0)
      notes.push(`${countOf(this.#broken, 'chunk of the reply is', 'chunks of the reply are')} not JSON`);
    const { foreignLines } = this.#events;
    if (foreignLines > 0)
      notes.push(
        `${countOf(foreignLines, 'line of the stream belongs', 'lines of the stream belong')} to no event`,
      );
    return notes;
  }

  *#takeSteps(events: readonly ReplyEvent[]): Generator<undefined, void> {
    for (const { values } of events) this.#takeValues(values, this.#nextSpan());
    const rest = this.#events.takeRest();
    if (rest.trim() !== '') this.#isForeign ??= !/^\ufeff?\s*[{[]/.test(rest);
    if (this.#isForeign === false) yield* this.#lineSteps(this.#lines.push(rest));
    const isOpen = this.#events.isOpen || this.#lines.isOpen;
    this.#begunAt = isOpen ? (this.#begunAt ?? this.#until) : undefined;
  }

  *#lineSteps(lines: readonly string[]): Generator<undefined, void> {
    for (const line of lines) {
      const span = this.#nextSpan();
      if (line.trim() === '') continue;
      const value = yield* writtenJsonSteps(line);
      this.#takeValues(value ? [value] : readJsonPieces(line).pieces.map(piece => piece.value), span);
    }
  }

  /** The span of the first unit begins with its first byte, that of later ones with the current piece. */
  #nextSpan(): TimeSpan {
    const span = { at: this.#begunAt ?? this.#until, until: this.#until };
    this.#begunAt = this.#until;
    return span;
  }

  #takeValues(values: readonly Value[], span: TimeSpan): void {
    if (values.length === 0) this.#broken++;
    for (const each of values) {
      // A batch of JSON-RPC is split into its messages.
      for (const one of each.kind === 'list' ? each.items : [each]) this.#take(one, span);
    }
  }
}

/** Splits lines of JSON; if the first line is no JSON by itself, the whole body is one unit. */
class JsonLines {
  readonly #lines = new LineSplitter();
  #whole: string[] | undefined;
  #isKnown = false;

  push(text: string): readonly string[] {
    if (this.#whole) {
      this.#whole.push(text);
      return [];
    }
    const lines = this.#lines.push(text).map(line => line.text);
    const first = this.#isKnown ? undefined : lines.find(line => line.trim() !== '');
    if (first === undefined) return lines;
    this.#isKnown = true;
    if (readWrittenJson(first)) return lines;
    this.#whole = [...lines.map(line => `${line}\n`), this.#lines.end().text];
    return [];
  }

  end(): readonly string[] {
    return [this.#whole?.join('') ?? this.#lines.end().text];
  }

  get isOpen(): boolean {
    return this.#whole !== undefined || this.#lines.isOpen;
  }
}
