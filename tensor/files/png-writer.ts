import { strToU8, zlibSync } from 'fflate';
import type { Tensor } from '../tensor.ts';
import { joinBytes } from '../../core/events/bytes.ts';
import { crc32 } from './crc32.ts';
import { fault, type FileWriting } from './file-format.ts';
import { PNG_SIGNATURE } from './png-chunks.ts';

/** Bits per sample by data type. */
const DEPTHS = new Map<string, 1 | 8 | 16>([
  ['bool', 1],
  ['uint8', 8],
  ['uint16', 16],
]);
/** Colour types by the number of channels: grey, grey and alpha, RGB, RGB and alpha. */
const COLOUR_TYPES: Readonly<Record<number, number>> = { 1: 0, 2: 4, 3: 2, 4: 6 };
const LONGEST_SIDE = 2 ** 31 - 1;
const FRAME = 12;

/** Encodes an image without changing its samples (PNG, third edition), not interlaced and with unfiltered rows. */
export function writePng({ dtype, shape, bytes }: Tensor): FileWriting {
  const depth = DEPTHS.get(dtype);
  if (!depth)
    return fault(
      `A .png file holds uint8, uint16 or bool, and the tensor is ${dtype}. Scale it to 0 to 255, and cast it to uint8.`,
    );
  const [height = 0, width = 0, channels = 1] = shape;
  const colour = COLOUR_TYPES[channels];
  if ((shape.length !== 2 && shape.length !== 3) || colour === undefined)
    return fault(
      `A .png file holds [height, width] or [height, width, channels] with 1 to 4 channels, and the tensor has the shape [${shape.join(', ')}]. Slice it, or bring its axes in this order.`,
    );
  if (height === 0 || width === 0 || height > LONGEST_SIDE || width > LONGEST_SIDE)
    return fault(
      `A .png file holds pictures from 1 to 2^31-1 pixels a side, and the tensor has the shape [${shape.join(', ')}].`,
    );
  if (depth === 1 && channels > 1)
    return fault(`A .png file holds bool for one channel, and the tensor has ${channels}. Cast it to uint8.`);
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, colour], 8);
  const raw = layRows(bytes, height, width * channels, depth);
  const file = joinBytes([
    Uint8Array.from(PNG_SIGNATURE),
    writeChunk('IHDR', header),
    writeChunk('IDAT', zlibSync(raw)),
    writeChunk('IEND', new Uint8Array(0)),
  ]);
  return { kind: 'ok', bytes: file, notes: notKept({ dtype, shape, bytes }) };
}

/** The uncompressed data: for each row a filter byte of 0 and then the samples; 16-bit samples are big-endian. */
function layRows(bytes: Uint8Array, height: number, samples: number, depth: 1 | 8 | 16): Uint8Array {
  const row = Math.ceil((samples * depth) / 8);
  const raw = new Uint8Array(height * (row + 1));
  for (let line = 0; line < height; line++) {
    const to = line * (row + 1) + 1;
    if (depth === 8) raw.set(bytes.subarray(line * row, (line + 1) * row), to);
    else if (depth === 16) for (let at = 0; at < row; at++) raw[to + at] = bytes[(line * row + at) ^ 1] ?? 0;
    else
      for (let at = 0; at < samples; at++)
        if (bytes[line * samples + at] !== 0)
          raw[to + (at >> 3)] = (raw[to + (at >> 3)] ?? 0) | (128 >> (at & 7));
  }
  return raw;
}

function writeChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(data.length + FRAME);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(strToU8(type, true), 4);
  chunk.set(data, 8);
  view.setUint32(data.length + 8, crc32(chunk.subarray(4, data.length + 8)));
  return chunk;
}

function notKept({ dtype, shape, bytes }: Tensor): readonly string[] {
  const notes: string[] = [];
  if (shape[2] === 1)
    notes.push(
      `A .png file does not keep the last axis: it reads back as [${shape.slice(0, 2).join(', ')}].`,
    );
  if (dtype === 'bool' && bytes.some(byte => byte > 1)) notes.push('Bytes above 1 are written as 1: true.');
  return notes;
}
