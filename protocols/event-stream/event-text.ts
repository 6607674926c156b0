import { LineSplitter } from '../../core/text/line-splitter.ts';

/** An event of a stream as its server sent it (WHATWG HTML 9.2.6). */
export interface StreamEvent {
  /** Its data, the lines joined by LF. */
  readonly data: string;
  /** Its name, where it has one. */
  readonly name?: string;
}

const BOM = '\u{feff}';

/**
 * Cuts a stream of server-sent events into events while it comes. An event ends with an empty line; LF, CRLF and CR end
 * lines. Comments and ids of events say nothing that their data do not, nor do most names. Linear: each character is searched once and
 * joined once.
 */
export class EventText {
  readonly #lines = new LineSplitter();
  #data: string[] = [];
  #name = '';
  #isFirst = true;
  #foreign = 0;
  #hasIds = false;
  #work = 0;

  /** The events that this text makes whole. */
  push(text: string): readonly StreamEvent[] {
    this.#work += text.length;
    return this.#lines.push(text).flatMap(line => this.#read(line));
  }

  /** The event that no empty line closed, which a stream that was cut lacks. */
  end(): readonly StreamEvent[] {
    return [...this.#read(this.#lines.end()), ...this.#read('')];
  }

  /** True while an event waits for its end. */
  get isOpen(): boolean {
    return this.#data.length > 0 || this.#lines.isOpen;
  }

  /** How many lines were no field of an event. */
  get foreignLines(): number {
    return this.#foreign;
  }

  /** True once an event had an id, behind which its stream can be asked for again. */
  get hasIds(): boolean {
    return this.#hasIds;
  }

  /** Characters that were searched and joined: tests hold it to the length of the stream. */
  get work(): number {
    return this.#work;
  }

  #read(given: string): readonly StreamEvent[] {
    const line = this.#isFirst && given.startsWith(BOM) ? given.slice(1) : given;
    this.#isFirst = false;
    this.#work += line.length;
    if (line === '') return this.#close();
    const field = /^(data|event|id|retry)(?:: ?|$)/.exec(line);
    if (field?.[1] === 'data') this.#data.push(line.slice(field[0].length));
    else if (field?.[1] === 'event') this.#name = line.slice(field[0].length);
    else if (field?.[1] === 'id') this.#hasIds = true;
    else if (!field && !line.startsWith(':') && line.trim() !== '') this.#foreign++;
    return [];
  }

  #close(): readonly StreamEvent[] {
    const [lines, name] = [this.#data, this.#name];
    this.#data = [];
    this.#name = '';
    return lines.length === 0 ? [] : [{ data: lines.join('\n'), ...(name === '' ? {} : { name }) }];
  }
}
