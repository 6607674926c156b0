import { strFromU8 } from 'fflate';
import { showCount } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { joinBytes } from '../../core/events/bytes.ts';
import { crc32 } from './crc32.ts';
import { fault, type Fault } from './file-format.ts';
import type { PngHeader } from './png-pixels.ts';

/** The bytes that a PNG file begins with (PNG, third edition, 5.2). */
export const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const;

/** The content of a PNG file before its pixel data are decompressed. */
export interface PngFile {
  readonly kind: 'ok';
  readonly header: PngHeader;
  /** Red, green and blue of each palette entry; empty without a palette. */
  readonly palette: Uint8Array;
  /** The data of the tRNS chunk. */
  readonly transparency: Uint8Array | undefined;
  /** The zlib stream of the pixel data. */
  readonly packed: Uint8Array;
  /** The types of ignored chunks, and the number of bytes after the end. */
  readonly others: readonly string[];
  readonly rest: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
  /** The offset of the next chunk. */
  readonly end: number;
}

/** The number of bytes of a chunk's length, type and checksum. */
const FRAME = 12;

/** Reads the chunks of a PNG file (5.3 and 11) and verifies their checksums. */
export function readPngChunks(bytes: Uint8Array): PngFile | Fault {
  if (PNG_SIGNATURE.some((byte, at) => bytes[at] !== byte))
    return fault('This is not a PNG file: it does not begin with the signature of one.');
  const parts = new Map<string, Uint8Array[]>();
  let at: number = PNG_SIGNATURE.length;
  while (!parts.has('IEND')) {
    const chunk = readChunk(bytes, at);
    if ('kind' in chunk) return chunk;
    if (at === PNG_SIGNATURE.length && chunk.type !== 'IHDR')
      return fault(`The PNG file begins with the chunk ${chunk.type}, and IHDR has to be the first.`);
    if (/^[A-Z]/.test(chunk.type) && !KNOWN.includes(chunk.type))
      return fault(`The PNG file needs its chunk ${chunk.type} to be understood, which is not known here.`);
    const alike = parts.get(chunk.type);
    if (alike) alike.push(chunk.data);
    else parts.set(chunk.type, [chunk.data]);
    at = chunk.end;
  }
  const header = readHeader(parts.get('IHDR')?.[0] ?? new Uint8Array(0));
  if ('kind' in header) return header;
  return {
    kind: 'ok',
    header,
    palette: parts.get('PLTE')?.[0] ?? new Uint8Array(0),
    transparency: parts.get('tRNS')?.[0],
    packed: joinBytes(parts.get('IDAT') ?? []),
    others: [...parts.keys()].filter(type => !KNOWN.includes(type)),
    rest: bytes.length - at,
  };
}

const KNOWN = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS'];

function readChunk(bytes: Uint8Array, at: number): Chunk | Fault {
  if (at + FRAME > bytes.length) return cutOff(at);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = strFromU8(bytes.subarray(at + 4, at + 8), true);
  if (!/^[A-Za-z]{4}$/.test(type))
    return fault(`The PNG file is broken: no chunk begins at byte ${showCount(at)} (${quote(type)}).`);
  const dataEnd = at + 8 + view.getUint32(at, false);
  if (dataEnd + 4 > bytes.length) return cutOff(at);
  if (crc32(bytes.subarray(at + 4, dataEnd)) !== view.getUint32(dataEnd, false))
    return fault(
      `The PNG file is damaged: the checksum of its chunk ${type} at byte ${showCount(at)} does not fit.`,
    );
  return { type, data: bytes.subarray(at + 8, dataEnd), end: dataEnd + 4 };
}

function cutOff(at: number): Fault {
  return fault(`The PNG file was cut off: it ends inside the chunk at byte ${showCount(at)}.`);
}

/** Channels and valid bit depths of each colour type (11.2.1, table 12). */
const COLOURS: Readonly<Record<number, { readonly channels: number; readonly depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};
const HEADER_LENGTH = 13;
const LONGEST_SIDE = 2 ** 31 - 1;

function readHeader(data: Uint8Array): PngHeader | Fault {
  if (data.length !== HEADER_LENGTH)
    return fault(`The PNG file is broken: its header has ${data.length} bytes in place of ${HEADER_LENGTH}.`);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const width = view.getUint32(0, false);
  const height = view.getUint32(4, false);
  const [depth = 0, colour = 0, compression, filter, interlace] = data.subarray(8);
  if (width === 0 || height === 0 || width > LONGEST_SIDE || height > LONGEST_SIDE)
    return fault(
      `The PNG file is broken: its picture would be ${showCount(width)} by ${showCount(height)} pixels.`,
    );
  const type = COLOURS[colour];
  if (!type?.depths.includes(depth))
    return fault(`The PNG file is broken: there is no colour type ${colour} with ${depth} bits a sample.`);
  if (compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1))
    return fault(
      `The PNG file is packed in a way that is not known here: compression ${compression}, filter ${filter}, interlace ${interlace}.`,
    );
  return { width, height, depth, colour, channels: type.channels, interlaced: interlace === 1 };
}
