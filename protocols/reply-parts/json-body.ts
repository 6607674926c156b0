import { readJsonPieces, readWrittenJson, writtenJsonSteps } from '../../language/values/json-reader.ts';
import { isSse } from '../../language/values/sse.ts';
import { LineSplitter } from '../../core/text/line-splitter.ts';
import { EventText, type StreamEvent } from '../event-stream/event-text.ts';
import type { Value } from '../../core/values/value.ts';
import { countOf } from '../../core/text/count.ts';
import { runAtOnce } from '../../core/text/slices.ts';
import type { TimeSpan } from './piece-times.ts';

/** A body cut into units while it comes. */
interface Units {
  push(text: string): readonly string[];
  end(): readonly string[];
  /** True while a unit waits for its end. */
  readonly isOpen: boolean;
}

/** What some servers end a stream with. */
const DONE = '[DONE]';

/** Characters of a body by which its form is known. */
const LONGEST_START = 1_000;

/**
 * Cuts a body into values of JSON with the times at which each came: the data of server-sent events, lines of JSON, or one
 * document, which is read when it is whole.
 */
export class JsonBody {
  readonly #take: (value: Value, span: TimeSpan) => void;
  #units: Units | undefined;
  /** Beginnings of which the form is not known. */
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

  /** Nothing more comes: what is one unit is read now, in slices. */
  *endSteps(): Generator<undefined, void> {
    this.#isOver = true;
    if (!this.#units && !this.#isForeign) this.#open('all of it');
    if (this.#units) yield* this.#unitSteps([...this.#units.push(''), ...this.#units.end()], this.#units);
  }

  /** True once all of it came. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** True where it is a stream of events. */
  get isStream(): boolean {
    return this.#isStream;
  }

  get notes(): readonly string[] {
    const notes: string[] = [];
    if (this.#isForeign) notes.push('The reply is not of this protocol: it stands in the reply as it came');
    if (this.#broken > 0)
      notes.push(`${countOf(this.#broken, 'piece of the reply is', 'pieces of the reply are')} no JSON`);
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
    // The name of a field may have come in part.
    else if (known === 'more may come' && text.length < LONGEST_START && /^[a-z]{0,5}$/.test(start)) return;
    else this.#isForeign = text.trim() !== '';
    this.#start = '';
    if (this.#units) this.#readUnits(this.#units.push(text), this.#units);
  }

  #openEvents(): Units {
    this.#isStream = true;
    const events = new EventText();
    return {
      push: text => {
        const found = events.push(text);
        this.#foreignLines = events.foreignLines;
        return found.flatMap(readEvent);
      },
      end: () => events.end().flatMap(readEvent),
      get isOpen() {
        return events.isOpen;
      },
    };
  }

  #readUnits(units: readonly string[], open: Units): void {
    runAtOnce(this.#unitSteps(units, open));
  }

  /** The first unit began when its first byte came; those after it began with this piece. */
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
      // A batch of JSON-RPC is its messages.
      for (const one of each.kind === 'list' ? each.items : [each]) this.#take(one, span);
    }
  }
}

/** The address that a server of MCP of 2024-11-05 names first is no message. */
function readEvent({ data, name }: StreamEvent): readonly string[] {
  return name === ENDPOINT && !/^\s*[{[]/.test(data) ? [] : [data];
}

const ENDPOINT = 'endpoint';

/** Lines of JSON; where the first line is none by itself, all of the body is one unit. */
class JsonLines implements Units {
  readonly #lines = new LineSplitter();
  #whole: string[] | undefined;
  #isKnown = false;

  push(text: string): readonly string[] {
    if (this.#whole) {
      this.#whole.push(text);
      return [];
    }
    const lines = this.#lines.push(text);
    const first = this.#isKnown ? undefined : lines.find(line => line.trim() !== '');
    if (first === undefined) return lines;
    this.#isKnown = true;
    if (readWrittenJson(first)) return lines;
    this.#whole = [...lines.map(line => `${line}\n`), this.#lines.end()];
    return [];
  }

  end(): readonly string[] {
    return [this.#whole?.join('') ?? this.#lines.end()];
  }

  get isOpen(): boolean {
    return this.#whole !== undefined || this.#lines.isOpen;
  }
}
