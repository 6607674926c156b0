import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/**
 * The maximum size of a decompressed body: MAX_UNPACKED bytes, and MAX_TIMES the number of compressed bytes, or
 * LEAST_UNPACKED for a short body. Compressed text stays far below; data beyond it is made to fill memory and disks.
 */
export const MAX_UNPACKED = 64 * 2 ** 20;
export const MAX_TIMES = 200;
const LEAST_UNPACKED = 2 ** 16;

/** The maximum size of what is decompressed at once, while traffic waits. */
const MAX_AT_ONCE = 16 * 2 ** 20;

/** Why a body was decompressed only in part. */
type UnpackFault = 'broken' | 'too long';

/** A content coding (RFC 9110, section 8.4.1; RFC 8878 for zstd). */
interface Coding {
  /** A stream that decompresses; `first` is the first byte that it will receive. */
  readonly open: (first: number) => Transform;
  /** Decompresses as far as the bytes go. Throws if they have another coding or the result is too long. */
  readonly unpack: (bytes: Uint8Array, maxOutputLength: number) => Buffer;
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;

const GZIP: Coding = {
  open: () => zlib.createGunzip(),
  unpack: (bytes, maxOutputLength) => zlib.gunzipSync(bytes, { maxOutputLength, finishFlush: Z_SYNC_FLUSH }),
};

/** Meant are zlib frames. Some agents send the bare stream, and all clients accept both. */
const DEFLATE: Coding = {
  open: first => (isZlib(first) ? zlib.createInflate() : zlib.createInflateRaw()),
  unpack: (bytes, maxOutputLength) =>
    (isZlib(bytes[0] ?? 0) ? zlib.inflateSync : zlib.inflateRawSync)(bytes, {
      maxOutputLength,
      finishFlush: Z_SYNC_FLUSH,
    }),
};

const BROTLI: Coding = {
  open: () => zlib.createBrotliDecompress(),
  unpack: (bytes, maxOutputLength) =>
    zlib.brotliDecompressSync(bytes, { maxOutputLength, finishFlush: BROTLI_OPERATION_FLUSH }),
};

const ZSTD: Coding = {
  open: () => zlib.createZstdDecompress(),
  unpack: (bytes, maxOutputLength) => zlib.zstdDecompressSync(bytes, { maxOutputLength }),
};

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', DEFLATE],
  ['br', BROTLI],
  // Node supports it from 22.15 on.
  ...('createZstdDecompress' in zlib ? [['zstd', ZSTD] as const] : []),
]);

/** The low bits of the first byte are the method: 8 is deflate (RFC 1950, section 2.2). No bare stream begins so. */
function isZlib(first: number): boolean {
  return (first & 0x0f) === 8;
}

/** The codings of a body, the one applied last first; undefined if one of them is unknown. */
function findCodings(packings: readonly string[]): readonly Coding[] | undefined {
  const codings = packings.flatMap(packing => CODINGS.get(packing) ?? []);
  return codings.length === packings.length ? codings.reverse() : undefined;
}

/** Decompresses bytes as far as they go; undefined if they have other codings or the result is longer than 16 MiB. */
export function unpackAtOnce(bytes: Uint8Array, packings: readonly string[]): Buffer | undefined {
  try {
    return findCodings(packings)?.reduce<Buffer>(
      (packed, coding) => (packed.length === 0 ? packed : coding.unpack(packed, MAX_AT_ONCE)),
      Buffer.from(bytes),
    );
  } catch {
    return undefined;
  }
}

/** The maximum number of decompressed bytes in a piece, so that no piece takes long to read. */
const MAX_JOINED = 2 ** 20;

/** The number of decompressed bytes that a coding holds before it pauses. */
const MAX_HELD = 2 ** 18;

/**
 * Decompresses a body while it arrives. Holds only the windows of the codings and a piece. One push may run
 * at a time.
 */
export class Unpacker {
  readonly #stages: readonly Stage[];
  readonly #most: number;
  #came = 0;

  private constructor(stages: readonly Stage[], most: number) {
    this.#stages = stages;
    this.#most = most;
  }

  /** Undefined if one of the codings is unknown. `most`: the maximum number of decompressed bytes. */
  static open(packings: readonly string[], most = MAX_UNPACKED): Unpacker | undefined {
    const codings = findCodings(packings);
    return (
      codings &&
      new Unpacker(
        codings.map(coding => new Stage(coding)),
        most,
      )
    );
  }

  /** Why it stopped; undefined while it continues. */
  get fault(): UnpackFault | undefined {
    return this.#stages.find(({ fault }) => fault !== undefined)?.fault;
  }

  /** The content of these bytes, in pieces; nothing once it stopped. */
  async *push(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
    this.#came += bytes.length;
    const most = Math.min(this.#most, Math.max(LEAST_UNPACKED, this.#came * MAX_TIMES));
    let content: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = [bytes];
    for (const stage of this.#stages) content = stage.unpack(content, most);
    yield* gather(content);
  }

  /** Nothing more arrives. */
  close(): void {
    for (const stage of this.#stages) stage.close();
  }
}

/** Joins pieces to pieces of MAX_JOINED bytes, and the rest. However the data arrive, the result is the same. */
async function* gather(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    held.push(piece);
    length += piece.length;
    if (length < MAX_JOINED) continue;
    const joined = Buffer.concat(held);
    let from = 0;
    for (; length - from >= MAX_JOINED; from += MAX_JOINED) yield joined.subarray(from, from + MAX_JOINED);
    held = [joined.subarray(from)];
    length -= from;
  }
  if (length > 0) yield Buffer.concat(held);
}

/** One coding of a body. */
class Stage {
  fault: UnpackFault | undefined;
  readonly #coding: Coding;
  #stream: Transform | undefined;
  #pieces: Buffer[] = [];
  #held = 0;
  #unpackedLength = 0;
  #most = 0;
  /** True after the end of the data: anything behind it is ignored. */
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(coding: Coding) {
    this.#coding = coding;
  }

  /** Decompresses pieces; together they may result in at most `most` bytes. */
  async *unpack(
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    most: number,
  ): AsyncGenerator<Uint8Array, void> {
    this.#most = most;
    for await (const piece of pieces) yield* this.#push(piece);
  }

  close(): void {
    this.#stream?.destroy();
  }

  async *#push(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
    if (bytes.length === 0 || this.#isOver || this.fault !== undefined) return;
    const stream = (this.#stream ??= this.#open(bytes[0] ?? 0));
    let isDone = false;
    stream.write(bytes, () => {
      // Data may wait in the stream: reading emits them.
      while (stream.read() !== null);
      isDone = true;
      this.#wake();
    });
    for (;;) {
      const pieces = this.#pieces.splice(0);
      this.#held = 0;
      if (pieces.length > 0) yield Buffer.concat(pieces);
      else if (isDone || this.#isOver || this.fault !== undefined) return;
      else await this.#wait(stream);
    }
  }

  /** Waits for data, an error or the end. */
  #wait(stream: Transform): Promise<void> {
    return new Promise(resolve => {
      this.#wake = resolve;
      stream.resume();
    });
  }

  #open(first: number): Transform {
    const stream = this.#coding.open(first);
    stream.on('data', (piece: Buffer) => this.#take(piece, stream));
    stream.on('end', () => {
      this.#isOver = true;
      this.#wake();
    });
    stream.on('error', () => this.#stop('broken', stream));
    return stream;
  }

  #take(piece: Buffer, stream: Transform): void {
    this.#unpackedLength += piece.length;
    if (this.#unpackedLength > this.#most) {
      this.#stop('too long', stream);
      return;
    }
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held >= MAX_HELD) stream.pause();
    this.#wake();
  }

  #stop(fault: UnpackFault, stream: Transform): void {
    this.fault ??= fault;
    stream.destroy();
    this.#wake();
  }
}
