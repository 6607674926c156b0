import { message, type Message } from '../../core/message/message.ts';
import { boolValue, findEntry, intValue, type Value } from '../../core/values/value.ts';
import { isSameValue } from '../../language/values/same-value.ts';
import { tellChanges } from '../convert/check.ts';
import { Report } from '../../core/message/report.ts';
import type {
  ProtocolShape,
  Reading,
  StreamReader,
  StreamShape,
  StreamWriter,
  Writing,
} from '../message/shape.ts';
import { findType, readPlace } from './members.ts';

/** How single messages are read and written. */
type ChunkCodec = Required<Pick<ProtocolShape, 'read' | 'nearest' | 'write'>>;

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
  const isResult = findType(findEntry(value, 'msg_type')) === 'result';
  return isResult && readPlace(findEntry(value, 'stream_id')) !== undefined;
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
    const parts = isWhole && !isOdd && !isMistakable ? toParts(run, last) : run;
    return parts.map(part => this.#reading.number(part));
  }
}

/** The chunks without numbers and, where the last one says so, the end of their stream. */
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
  return isSame(one.fields.session, other.fields.session) && isSame(one.fields.stream, other.fields.stream);
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return one && other ? isSameValue(one, other) : one === other;
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

  /** The parts with numbers; what a reader of them finds otherwise is told. */
  end(): readonly Value[] {
    const { nearest, write } = this.#codec;
    const values = this.#number().map(part => write(nearest(part, this.#writing), this.#writing));
    const found = this.#readBack(values);
    const { report } = this.#writing;
    for (const [index, part] of this.#parts.entries()) tellChanges(part, found[index], 'aicl', report);
    return values;
  }

  /** The parts as AICL names them: the chunks of each run numbered, its end said by its last one. */
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
