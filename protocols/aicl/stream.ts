import { fieldNames, message, type Message } from '../../core/message/message.ts';
import { isSameMessage } from '../message/same-message.ts';
import {
  boolValue,
  dictValue,
  findEntry,
  intValue,
  textIn,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { findType, readPlace } from './members.ts';
import { ENVELOPE, readMessage } from '../message/envelope.ts';
import { Members } from '../message/members.ts';
import { Report } from '../../core/message/report.ts';
import type { Reading, StreamReader, StreamShape, StreamWriter, Writing } from '../message/shape.ts';

/** How single messages are read and written. */
interface ChunkCodec {
  readonly read: (value: Value, reading: Reading) => Message | undefined;
  /** Writes a message; a chunk that has a place in its stream says it in its stream id. */
  readonly write: (part: Message, writing: Writing) => Value;
  /** The same with its place in the envelope, so that it is no chunk of a stream to the reader. */
  readonly writeAlone: (part: Message, writing: Writing) => Value;
}

/**
 * Streams of LightAICL: results that are named `name_k/n`, the last of them final. A stream that is whole is chunks and
 * their end, without numbers; the chunks of one that is not keep theirs.
 */
export function chunkStream(codec: ChunkCodec): StreamShape {
  return {
    recognises: isChunk,
    reader: reading => new ChunkReader(codec, reading),
    writer: writing => new ChunkWriter(codec, writing),
  };
}

function isChunk(value: Value): boolean {
  if (findType(findEntry(value, 'msg_type')) !== 'result') return false;
  const kind = findEntry(findEntry(value, ENVELOPE), 'kind');
  return (
    (kind === undefined || textIn(kind) === 'chunk') && readPlace(findEntry(value, 'stream_id')) !== undefined
  );
}

class ChunkReader implements StreamReader {
  readonly #codec: ChunkCodec;
  readonly #reading: Reading;
  /** The chunks 1 to k of one stream, as far as they came one after the other. */
  #run: Message[] = [];

  constructor(codec: ChunkCodec, reading: Reading) {
    this.#codec = codec;
    this.#reading = reading;
  }

  push(event: Value): readonly Message[] {
    // The numbers of ids are given when it is known what the chunk is.
    const chunk = this.#codec.read(event, { ...this.#reading, number: read => read });
    if (!chunk) return [];
    const before = this.#continues(chunk) ? [] : this.#flush(chunk);
    this.#run.push(chunk);
    const isAlone = this.#run.length === 1 && numberOf(chunk.fields.index) !== 1;
    return isAlone || isFinal(chunk) ? [...before, ...this.#flush(undefined)] : before;
  }

  end(): readonly Message[] {
    return this.#flush(undefined);
  }

  #continues(chunk: Message): boolean {
    const last = this.#run.at(-1);
    if (!last || !isSameStream(last, chunk)) return false;
    const { index, total } = chunk.fields;
    const isNext = numberOf(index) === this.#run.length + 1;
    return isNext && numberOf(total) === numberOf(last.fields.total);
  }

  /**
   * The parts of the run. Its chunks need no numbers if all of them are there and none says anything odd, and if no other
   * run of the same stream follows that would be taken for more of it.
   */
  #flush(next: Message | undefined): readonly Message[] {
    const run = this.#run;
    this.#run = [];
    const last = run.at(-1);
    if (!last) return [];
    const isWhole = numberOf(run[0]?.fields.index) === 1 && numberOf(last.fields.total) === run.length;
    const isOdd = run.some(
      ({ fields }, index) => fields.final && !(index === run.length - 1 && isFinal(last)),
    );
    const isMistakable = next !== undefined && !isFinal(last) && isSameStream(last, next);
    const parts = isWhole && !isOdd && !isMistakable ? toParts(run, last, this.#reading.report) : run;
    return parts.map(part => this.#reading.number(part));
  }
}

/** The chunks without numbers and, where the last one says so, the end of their stream with what it says. */
function toParts(run: readonly Message[], last: Message, report: Report): readonly Message[] {
  if (!isFinal(last)) return withoutNumbers(run);
  const { session, stream } = last.fields;
  const { chunk, said } = splitEnd(last);
  const found = { kind: 'end', fields: { session, stream }, rest: undefined, envelope: said } as const;
  return [...withoutNumbers([...run.slice(0, -1), chunk]), readMessage(found, 'aicl', report)];
}

/** The last chunk, and what its envelope says of the end of the stream. */
function splitEnd(last: Message): { readonly chunk: Message; readonly said: DictValue | undefined } {
  const rests = new Members(last.fields.rest);
  const own = new Members(rests.takeKind(ENVELOPE, 'dict'));
  const said = own.takeKind(END, 'dict');
  if (!said) return { chunk: last, said };
  rests.put(ENVELOPE, own.left());
  return { chunk: message('chunk', { ...last.fields, rest: undefined }, rests.left()), said };
}

/** The member of the last chunk's envelope for what the end of its stream says beside that. */
const END = 'end';

function withoutNumbers(run: readonly Message[]): readonly Message[] {
  return run.map(({ fields: { index: _index, total: _total, final: _final, ...fields } }) =>
    message('chunk', fields),
  );
}

function numberOf(value: Value | undefined): number | undefined {
  return value?.kind === 'int' ? Number(value.int) : undefined;
}

function isFinal({ fields: { final } }: Message): boolean {
  return final?.kind === 'bool' && final.bool;
}

function isSameStream(one: Message, other: Message): boolean {
  return isSame(one.fields.session, other.fields.session) && isSame(one.fields.stream, other.fields.stream);
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return one && other ? isSameValue(one, other) : one === other;
}

/** A part with its number, and the end that it says. */
interface Numbered {
  readonly part: Message;
  readonly end?: Message | undefined;
}

class ChunkWriter implements StreamWriter {
  readonly #codec: ChunkCodec;
  readonly #writing: Writing;
  readonly #parts: Message[] = [];

  constructor(codec: ChunkCodec, writing: Writing) {
    this.#codec = codec;
    this.#writing = writing;
  }

  /** Nothing yet: a chunk names how many there are. */
  push(part: Message): readonly Value[] {
    this.#parts.push(part);
    return [];
  }

  /** The parts with numbers. Where reading those would give others, which nothing but odd fields can do, without. */
  end(): readonly Value[] {
    const numbered = this.#number().map(({ part, end }) =>
      withEnd(this.#codec.write(part, this.#writing), end),
    );
    if (this.#isReadBack(numbered)) return numbered;
    return this.#parts.map(part => this.#codec.writeAlone(part, this.#writing));
  }

  /** The parts as AICL names them: the chunks of each run numbered, its end said by its last one. */
  #number(): readonly Numbered[] {
    const numbered: Numbered[] = [];
    let run: Message[] = [];
    for (const part of this.#parts) {
      const last = run.at(-1);
      const isMore = last !== undefined && isSameStream(last, part);
      const isEnd = isMore && part.kind === 'end';
      if (run.length > 0 && !(isMore && isUnnumbered(part))) {
        for (const chunk of numberChunks(run, isEnd ? part : undefined)) numbered.push(chunk);
        run = [];
      }
      if (isUnnumbered(part)) run.push(part);
      else if (!isEnd) numbered.push({ part });
    }
    return [...numbered, ...numberChunks(run, undefined)];
  }

  #isReadBack(values: readonly Value[]): boolean {
    const reading: Reading = { ...this.#writing, report: new Report(), number: read => read };
    const read: Message[] = [];
    let stream: StreamReader | undefined;
    for (const value of values) {
      if (isChunk(value)) {
        stream ??= new ChunkReader(this.#codec, reading);
        for (const part of stream.push(value)) read.push(part);
        continue;
      }
      for (const part of stream?.end() ?? []) read.push(part);
      stream = undefined;
      const other = this.#codec.read(value, reading);
      if (other) read.push(other);
    }
    for (const part of stream?.end() ?? []) read.push(part);
    const parts = this.#parts;
    return read.length === parts.length && parts.every((part, index) => isSameAt(part, read[index]));
  }
}

function isSameAt(part: Message, read: Message | undefined): boolean {
  return read !== undefined && isSameMessage(part, read);
}

function isUnnumbered({ kind, fields: { index, total, final } }: Message): boolean {
  return kind === 'chunk' && !index && !total && !final;
}

function numberChunks(run: readonly Message[], end: Message | undefined): readonly Numbered[] {
  return run.map(({ fields }, index) => {
    const isLast = index === run.length - 1;
    const part = message('chunk', {
      ...fields,
      index: intValue(index + 1),
      total: intValue(run.length),
      final: isLast && end ? boolValue(true) : undefined,
    });
    return isLast ? { part, end } : { part };
  });
}

/** The last chunk with what the end of its stream says beside that in its envelope. */
function withEnd(chunk: Value, end: Message | undefined): Value {
  const names = end ? fieldNames(end).filter(name => name !== 'session' && name !== 'stream') : [];
  const said = dictValue(names.map(key => ({ key, value: end?.fields[key] })));
  if (names.length === 0) return chunk;
  const members = new Members(chunk);
  const envelope = new Members(members.peek(ENVELOPE));
  envelope.put(END, said);
  members.put(ENVELOPE, envelope.left());
  return dictValue(members.entries());
}
