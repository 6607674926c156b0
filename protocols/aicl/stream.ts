import { message, type Message } from '../../core/message/message.ts';
import { boolValue, findEntry, intValue, type Value } from '../../core/values/value.ts';
import { isSameField } from '../message/same-value.ts';
import { reportChanges, reportLost } from '../convert/check.ts';
import { areOfOneReply, isOnePiece, joinReply } from '../event-stream/joined.ts';
import { Report } from '../../core/message/report.ts';
import type {
  ProtocolShape,
  Reading,
  StreamReader,
  StreamShape,
  StreamWriter,
  Writing,
} from '../message/shape.ts';
import { describeGaps, MAX_GAPS } from './chunk-gaps.ts';
import { findType, readPlace } from './members.ts';

/** Reads and writes single messages. */
type ChunkCodec = Required<Pick<ProtocolShape, 'read' | 'nearest' | 'write'>>;

/**
 * Streams of LightAICL: results with ids `name_k/n`, the last of them final. A complete stream becomes chunks
 * without numbers and an end; the chunks of an incomplete stream retain their numbers.
 */
export function chunkStream(codec: ChunkCodec): StreamShape {
  return {
    recognises: isChunk,
    reader: reading => new ChunkReader(codec, reading),
    writer: writing => new ChunkWriter(codec, writing),
  };
}

function isChunk(value: Value): boolean {
  const isResult = findType(findEntry(value, 'msg_type')) === 'result';
  return isResult && readPlace(findEntry(value, 'stream_id')) !== undefined;
}

class ChunkReader implements StreamReader {
  readonly #codec: ChunkCodec;
  readonly #reading: Reading;
  /** The chunks 1 to k of one stream that arrived in order. */
  #run: Message[] = [];
  /** The last chunk, and the numbers of its stream that arrived. */
  #last: Message | undefined;
  #seen = new Set<number>();
  /** The number of its chunks that repeat an earlier one or come after a later one. */
  #irregular = 0;
  /** Of a reply that arrives: the last chunk that was returned at once. */
  #live: Message | undefined;
  /** Of a reply that arrives: the chunks from the first one on that is not in order, which wait for the end. */
  readonly #held: Message[] = [];

  constructor(codec: ChunkCodec, reading: Reading) {
    this.#codec = codec;
    this.#reading = reading;
  }

  push(event: Value): readonly Message[] {
    // Message ids are assigned later, in `#flush`.
    const chunk = this.#codec.read(event, { ...this.#reading, number: read => read });
    if (!chunk) return [];
    this.#noteOrder(chunk);
    return this.#reading.isLive ? this.#pushLive(chunk) : this.#take(chunk);
  }

  #take(chunk: Message): readonly Message[] {
    const before = this.#continues(chunk) ? [] : this.#flush(chunk);
    this.#run.push(chunk);
    const isAlone = this.#run.length === 1 && numberOf(chunk.fields.index) !== 1;
    return isAlone || isFinal(chunk) ? [...before, ...this.#flush(undefined)] : before;
  }

  end(): readonly Message[] {
    this.#noteEnd();
    const held = this.#held.splice(0).flatMap(chunk => this.#take(chunk));
    this.#live = undefined;
    return [...held, ...this.#flush(undefined)];
  }

  /** Returns a chunk that is next in order without its numbers, whether or not the others will come. */
  #pushLive(chunk: Message): readonly Message[] {
    if (this.#held.length > 0 || !this.#isNext(chunk)) {
      this.#held.push(chunk);
      return [];
    }
    this.#live = isFinal(chunk) ? undefined : chunk;
    return toParts([chunk], chunk).map(part => this.#reading.number(part));
  }

  /** True for the first chunk of a stream, and the one after the last; their total may grow. */
  #isNext(chunk: Message): boolean {
    const last = this.#live;
    const { index, final } = chunk.fields;
    if (final && !isFinal(chunk)) return false;
    if (last && !isSameStream(last, chunk)) return numberOf(index) === 1;
    return numberOf(index) === (last ? (numberOf(last.fields.index) ?? 0) + 1 : 1);
  }

  /** Notes a chunk that repeats an earlier one or comes after a later one; nothing of it is lost. */
  #noteOrder(chunk: Message): void {
    const last = this.#last;
    const number = numberOf(chunk.fields.index) ?? 1;
    // After a final chunk, a first one begins another stream, unless the first one has not arrived yet.
    const beginsAgain = number === 1 && this.#seen.has(1) && last !== undefined && isFinal(last);
    if (last && (beginsAgain || !isSameStream(last, chunk))) this.#noteEnd();
    this.#last = chunk;
    const before = this.#seen.size === 0 ? 0 : (numberOf(last?.fields.index) ?? 0);
    if (this.#seen.has(number)) this.#noteIrregular(`Chunk ${number} of the stream came more than once`);
    else if (number < before) this.#noteIrregular(`Chunk ${number} of the stream came after chunk ${before}`);
    this.#seen.add(number);
  }

  #noteIrregular(note: string): void {
    this.#irregular++;
    if (this.#irregular <= MAX_GAPS) this.#reading.report.note(note);
  }

  /** Notes the chunks that a stream lacks. */
  #noteEnd(): void {
    const last = this.#last;
    const { report } = this.#reading;
    if (this.#irregular > MAX_GAPS)
      report.note(
        `${this.#irregular - MAX_GAPS} more chunks of the stream came out of order or more than once`,
      );
    for (const gap of describeGaps(this.#seen)) report.note(gap);
    const [number, total] = [numberOf(last?.fields.index), numberOf(last?.fields.total)];
    if (last && !isFinal(last) && number !== undefined && total !== undefined && !this.#seen.has(total))
      report.note(`The stream ended after chunk ${number} of ${total}`);
    this.#last = undefined;
    this.#seen = new Set();
    this.#irregular = 0;
  }

  #continues(chunk: Message): boolean {
    const last = this.#run.at(-1);
    if (!last || !isSameStream(last, chunk)) return false;
    const { index, total } = chunk.fields;
    const isNext = numberOf(index) === this.#run.length + 1;
    return isNext && numberOf(total) === numberOf(last.fields.total);
  }

  /**
   * Ends the run and returns its parts. Numbers are removed if the run is complete, no chunk before the last
   * is final, and the next run could not be mistaken for more of it.
   */
  #flush(next: Message | undefined): readonly Message[] {
    const run = this.#run;
    this.#run = [];
    const last = run.at(-1);
    if (!last) return [];
    const isWhole = numberOf(run[0]?.fields.index) === 1 && numberOf(last.fields.total) === run.length;
    const isUnexpected = run.some(
      ({ fields }, index) => fields.final && !(index === run.length - 1 && isFinal(last)),
    );
    const isMistakable = next !== undefined && !isFinal(last) && isSameStream(last, next);
    const parts = isWhole && !isUnexpected && !isMistakable ? toParts(run, last) : run;
    return parts.map(part => this.#reading.number(part));
  }
}

/** The chunks without numbers and, if the last one is final, the end of their stream. */
function toParts(run: readonly Message[], last: Message): readonly Message[] {
  if (!isFinal(last)) return withoutNumbers(run);
  const { session, stream } = last.fields;
  return [...withoutNumbers(run), message('end', { session, stream })];
}

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
  return (
    isSameField(one.fields.session, other.fields.session) &&
    isSameField(one.fields.stream, other.fields.stream)
  );
}

class ChunkWriter implements StreamWriter {
  readonly #codec: ChunkCodec;
  readonly #writing: Writing;
  readonly #parts: Message[] = [];

  constructor(codec: ChunkCodec, writing: Writing) {
    this.#codec = codec;
    this.#writing = writing;
  }

  /** Stores the part; nothing is written yet, because each chunk names the total. */
  push(part: Message): readonly Value[] {
    this.#parts.push(part);
    return [];
  }

  /** Writes the parts with numbers; reports what a reader of them would find changed. */
  end(): readonly Value[] {
    const [first] = this.#parts;
    const isOneReply = this.#parts.every(part => !first || areOfOneReply(first, part));
    if (isOneReply && !isOnePiece(this.#parts)) return this.#joined();
    const { nearest, write } = this.#codec;
    const values = this.#number().map(part => write(nearest(part, this.#writing), this.#writing));
    const found = this.#readBack(values);
    const { report, protocols } = this.#writing;
    for (const [index, part] of this.#parts.entries())
      reportChanges(part, found[index], 'aicl', { report, protocols });
    return values;
  }

  /** Writes pieces that would be mixed in one stream as a whole result, before the error that ended them. */
  #joined(): readonly Value[] {
    const { nearest, write, read } = this.#codec;
    const errors = this.#parts.filter(({ kind }) => kind === 'error');
    const chunks = this.#parts.filter(({ kind }) => kind !== 'error');
    return [joinReply(chunks, this.#writing.report), ...errors].map(given => {
      const sent = nearest(given, this.#writing);
      const value = write(sent, this.#writing);
      reportLost('aicl', { given, sent }, value, read, this.#writing);
      return value;
    });
  }

  /** Numbers the chunks of each run; its end becomes `final` of its last chunk. */
  #number(): readonly Message[] {
    const numbered: Message[] = [];
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
      else if (!isEnd) numbered.push(part);
    }
    return [...numbered, ...numberChunks(run, undefined)];
  }

  #readBack(values: readonly Value[]): readonly Message[] {
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
    return read;
  }
}

function isUnnumbered({ kind, fields: { index, total, final } }: Message): boolean {
  return kind === 'chunk' && !index && !total && !final;
}

function numberChunks(run: readonly Message[], end: Message | undefined): readonly Message[] {
  return run.map(({ fields }, index) =>
    message('chunk', {
      ...fields,
      index: intValue(index + 1),
      total: intValue(run.length),
      final: index === run.length - 1 && end ? boolValue(true) : undefined,
    }),
  );
}
