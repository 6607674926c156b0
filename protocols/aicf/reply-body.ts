import { message, type Message, type Outcome } from '../../core/message/message.ts';
import { textValue } from '../../core/values/value.ts';
import { decodeField } from '../../language/aicf/codec.ts';
import { AicfReplyFold, type AicfReply, type AicfReplyCommand } from '../../language/aicf/reply-stream.ts';
import type { RetainedPart } from '../event-stream/response-fold.ts';
import type { Reading } from '../message/shape.ts';
import type { ReplyBody } from '../reply-recognition.ts';
import { toOutcome } from './outcome.ts';
import { readAicfLine } from './reader.ts';

/** A line whose data may go on in the lines after it. */
interface OpenLine {
  /** The line so far, as it was received. */
  readonly parts: string[];
  readonly number: number;
}

/**
 * Reads the body of an AICF reply. The chunks of a stream are messages as soon as their line ends. Data of other lines
 * may go on until the next command, or the end of the body.
 */
export class AicfBody implements ReplyBody {
  readonly #fold = new AicfReplyFold((command, rest) => this.#takeLine(command, rest));
  readonly #reading: Reading;
  readonly #keeps: RetainedPart;
  /** The messages that were not returned yet. */
  #read: Message[] = [];
  #open: OpenLine | undefined;
  #isStream = false;
  #isOver = false;
  #length = 0;
  #work = 0;
  #ended: AicfReply | undefined;

  constructor(reading: Reading, keeps: RetainedPart) {
    this.#reading = reading;
    this.#keeps = keeps;
  }

  push(text: string): readonly Message[] {
    this.#length += text.length;
    this.#work += text.length;
    this.#isOver = this.#fold.push(text);
    return this.#takeRead();
  }

  *endSteps(): Generator<undefined, readonly Message[]> {
    this.#ended = this.#fold.end();
    yield;
    this.#close();
    return this.#takeRead();
  }

  get isProtocol(): boolean {
    return this.#fold.hasBegun;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get shownTo(): number {
    return this.#fold.hasBegun ? this.#length : 0;
  }

  get outcome(): Outcome {
    return this.#ended ? toOutcome(this.#ended) : { kind: 'result' };
  }

  get notes(): readonly string[] {
    return this.#ended?.notes ?? [];
  }

  readonly isTooLarge = false;

  get work(): number {
    return this.#work;
  }

  #takeRead(): readonly Message[] {
    const read = this.#read;
    this.#read = [];
    return read;
  }

  #takeLine(command: AicfReplyCommand | undefined, rest: string | undefined): void {
    if (this.#keeps === 'outcome') return;
    if (command === undefined) {
      const added = `\n${rest ?? ''}`;
      if (this.#open) this.#open.parts.push(added);
      else this.#addChunk(added);
      return;
    }
    this.#close();
    this.#isStream ||= command === 'STREAM';
    // A stream that continues with OK is one answer.
    const isChunk = command === 'STREAM' || (command === 'OK' && this.#isStream);
    if (isChunk) this.#addChunk(rest ?? '');
    else if (command === 'END') this.#add(message('end', {}));
    else
      this.#open = {
        parts: [rest === undefined ? command : `${command}|${rest}`],
        number: this.#fold.lineNumber,
      };
  }

  #addChunk(raw: string): void {
    this.#work += raw.length;
    this.#add(message('chunk', { data: textValue(decodeField(raw, 'response')) }));
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    const text = open.parts.join('');
    this.#work += text.length;
    const read = readAicfLine(text, `line ${open.number}`, this.#reading);
    if (read) this.#add(read);
  }

  #add(read: Message): void {
    this.#read.push(this.#reading.number(read));
  }
}
