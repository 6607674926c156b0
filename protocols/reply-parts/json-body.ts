import { readJsonPieces, readWrittenJson, writtenJsonSteps } from '../../language/values/json-reader.ts';
import { EventStreamParser, isSse, type StreamEvent } from '../../core/text/event-stream.ts';
import { LineSplitter } from '../../core/text/line-splitter.ts';
import type { Value } from '../../core/values/value.ts';
import { countOf } from '../../core/text/count.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { TimeSpan } from './piece-times.ts';

/** Splits a body into units while it arrives. */
interface Units {
  push(text: string): readonly string[];
  end(): readonly string[];
  /** True while a unit is incomplete. */
  readonly isOpen: boolean;
}

/** The data of the last event of some servers' streams. */
const DONE = '[DONE]';

/** The number of characters after which the form of a body is decided. */
const LONGEST_START = 1_000;

/**
 * Splits a body into JSON values with their arrival times: the data of server-sent events, lines of JSON, or
 * one document, which is read when it is complete.
 */
export class JsonBody {
  readonly #take: (value: Value, span: TimeSpan) => void;
  #units: Units | undefined;
  /** Text before the form of the body is known. */
  #start = '';
  #isForeign = false;
  #isStream = false;
  #begunAt: number | undefined;
  #until = 0;
  #isOver = false;
  #broken = 0;
  #foreignLines = 0;

  constructor(take: (value: Value, span: TimeSpan) => void) {
    this.#take = take;
  }

  push(text: string, at: number): void {
    this.#begunAt ??= at;
    this.#until = at;
    if (this.#isForeign) return;
    if (this.#units) return this.#readUnits(this.#units.push(text), this.#units);
    this.#start += text;
    this.#open('more may come');
  }

  /** Ends the body; a single document is read now, in slices. */
  *endSteps(): Generator<undefined, void> {
    this.#isOver = true;
    if (!this.#units && !this.#isForeign) this.#open('all of it');
    if (this.#units) yield* this.#unitSteps([...this.#units.push(''), ...this.#units.end()], this.#units);
  }

  /** True once the whole body arrived. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** True for a stream of events. */
  get isStream(): boolean {
    return this.#isStream;
  }

  get notes(): readonly string[] {
    const notes: string[] = [];
    if (this.#isForeign) notes.push('The reply is not of this protocol: see the raw reply');
    if (this.#broken > 0)
      notes.push(`${countOf(this.#broken, 'piece of the reply is', 'pieces of the reply are')} not JSON`);
    if (this.#foreignLines > 0)
      notes.push(
        `${countOf(this.#foreignLines, 'line of the stream belongs', 'lines of the stream belong')} to no event`,
      );
    return notes;
  }

  #open(known: 'more may come' | 'all of it'): void {
    const text = this.#start;
    const start = text.replace(/^\u{feff}/u, '').trimStart();
    if (start === '' && known === 'more may come' && text.length < LONGEST_START) return;
    if (/^[{[]/.test(start)) this.#units = new JsonLines();
    else if (start.startsWith(':') || isSse(text)) this.#units = this.#openEvents();
    // A field name may have arrived in part.
    else if (known === 'more may come' && text.length < LONGEST_START && /^[a-z]{0,5}$/.test(start)) return;
    else this.#isForeign = text.trim() !== '';
    this.#start = '';
    if (this.#units) this.#readUnits(this.#units.push(text), this.#units);
  }

  #openEvents(): Units {
    this.#isStream = true;
    const events = new EventStreamParser(() => this.#foreignLines++);
    return {
      push: text => events.push(text).flatMap(readEvent),
      end: () => events.end().flatMap(readEvent),
      get isOpen() {
        return events.isOpen;
      },
    };
  }

  #readUnits(units: readonly string[], open: Units): void {
    runAtOnce(this.#unitSteps(units, open));
  }

  /** The span of the first unit begins with its first byte, that of later ones with the current piece. */
  *#unitSteps(units: readonly string[], { isOpen }: Units): Generator<undefined, void> {
    const until = this.#until;
    for (const unit of units) {
      const span = { at: this.#begunAt ?? until, until };
      this.#begunAt = until;
      if (unit.trim() !== '' && unit.trim() !== DONE) yield* this.#readSteps(unit, span);
    }
    this.#begunAt = isOpen ? (this.#begunAt ?? until) : undefined;
  }

  *#readSteps(unit: string, span: TimeSpan): Generator<undefined, void> {
    const value = yield* writtenJsonSteps(unit);
    const values = value ? [value] : readJsonPieces(unit).pieces.map(piece => piece.value);
    if (values.length === 0) this.#broken++;
    for (const each of values) {
      // A batch of JSON-RPC is split into its messages.
      for (const one of each.kind === 'list' ? each.items : [each]) this.#take(one, span);
    }
  }
}

/** Drops the `endpoint` event that begins a stream of MCP 2024-11-05; its URL is no message. */
function readEvent({ data, name }: StreamEvent): readonly string[] {
  return name === ENDPOINT && !/^\s*[{[]/.test(data) ? [] : [data];
}

const ENDPOINT = 'endpoint';

/** Splits lines of JSON; if the first line is no JSON by itself, the whole body is one unit. */
class JsonLines implements Units {
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
