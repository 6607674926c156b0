import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/**
 * A body may unpack to so many bytes, and beyond that to so many times as many as came: a text that is compressed stays far
 * below, and what does not is made to fill memory and disks.
 */
const MOST_UNPACKED = 64 * 2 ** 20;
const MOST_TIMES = 20;

/** The same for what is unpacked at once, while what passes waits. */
const MOST_AT_ONCE = 16 * 2 ** 20;

/** Why a body was unpacked only up to some place. */
type UnpackFault = 'broken' | 'too long';

/** A content coding (RFC 9110, section 8.4.1; RFC 8878 for zstd). */
interface Coding {
  /** A stream that unpacks; `first` is the first byte that it will get. */
  readonly open: (first: number) => Transform;
  /** Unpacks as far as the bytes go. Throws where they are not packed so, or say more than so many bytes. */
  readonly unpack: (bytes: Uint8Array, maxOutputLength: number) => Buffer;
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;

const GZIP: Coding = {
  open: () => zlib.createGunzip(),
  unpack: (bytes, maxOutputLength) => zlib.gunzipSync(bytes, { maxOutputLength, finishFlush: Z_SYNC_FLUSH }),
};

/** Meant are the frames of zlib; some send the bare stream, and all clients take both. */
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
  // Node has it from 22.15 on.
  ...('createZstdDecompress' in zlib ? [['zstd', ZSTD] as const] : []),
]);

/** The low bits of the first byte name the method: 8 is deflate (RFC 1950, section 2.2), and no bare stream begins so. */
function isZlib(first: number): boolean {
  return (first & 0x0f) === 8;
}

/** How a body is unpacked, last way first; undefined where one of the ways is not known. */
function findCodings(packings: readonly string[]): readonly Coding[] | undefined {
  const codings = packings.flatMap(packing => CODINGS.get(packing) ?? []);
  return codings.length === packings.length ? codings.reverse() : undefined;
}

/** What the bytes that came say, as far as they go; undefined where they are not packed so, or say more than 16 MiB. */
export function unpackAtOnce(bytes: Uint8Array, packings: readonly string[]): Buffer | undefined {
  try {
    return findCodings(packings)?.reduce<Buffer>(
      (packed, coding) => (packed.length === 0 ? packed : coding.unpack(packed, MOST_AT_ONCE)),
      Buffer.from(bytes),
    );
  } catch {
    return undefined;
  }
}

/** What a body says is told by so many bytes at most, so that whoever reads it never takes long. */
const MOST_SAID = 2 ** 20;

/** So much of what a coding says is held before it goes on. */
const MOST_HELD = 2 ** 18;

/** Unpacks a body as it comes. What is held are the windows of the codings, and a piece. One push at a time. */
export class Unpacker {
  readonly #stages: readonly Stage[];
  readonly #most: number;
  #came = 0;

  private constructor(stages: readonly Stage[], most: number) {
    this.#stages = stages;
    this.#most = most;
  }

  /** Undefined where one of the ways is not known. `most` is how much a body may unpack to, whatever comes of it. */
  static open(packings: readonly string[], most = MOST_UNPACKED): Unpacker | undefined {
    const codings = findCodings(packings);
    return (
      codings &&
      new Unpacker(
        codings.map(coding => new Stage(coding)),
        most,
      )
    );
  }

  /** Why it stopped; undefined while it goes on. */
  get fault(): UnpackFault | undefined {
    return this.#stages.find(({ fault }) => fault !== undefined)?.fault;
  }

  /** What these bytes say beyond those before them, by pieces; nothing once it stopped. */
  async *push(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
    this.#came += bytes.length;
    const most = this.#most + this.#came * MOST_TIMES;
    let said: Iterable<Uint8Array> | AsyncIterable<Uint8Array> = [bytes];
    for (const stage of this.#stages) said = stage.unpack(said, most);
    yield* gather(said);
  }

  /** Nothing more comes. */
  close(): void {
    for (const stage of this.#stages) stage.close();
  }
}

/** Pieces together, as many as go. */
async function* gather(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    if (length > 0 && length + piece.length > MOST_SAID) {
      yield Buffer.concat(held);
      [held, length] = [[], 0];
    }
    held.push(piece);
    length += piece.length;
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
  #said = 0;
  #most = 0;
  /** What follows the end is of nobody. */
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(coding: Coding) {
    this.#coding = coding;
  }

  /** What pieces say, by pieces; all that came may say so many bytes at most. */
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
      // Data may wait in the stream: to read them tells them.
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

  /** Waits until there is something new. */
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
    this.#said += piece.length;
    if (this.#said > this.#most) {
      this.#stop('too long', stream);
      return;
    }
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held >= MOST_HELD) stream.pause();
    this.#wake();
  }

  #stop(fault: UnpackFault, stream: Transform): void {
    this.fault ??= fault;
    stream.destroy();
    this.#wake();
  }
}
