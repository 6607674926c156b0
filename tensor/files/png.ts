import { countOf, showCount, joinWords } from '../../core/text/count.ts';
import type { Tensor } from '../tensor.ts';
import { fault, onlyTensor, type Fault, type FileFormat, type FileReading } from './file-format.ts';
import { inflate } from './inflate.ts';
import { readPngChunks, type PngFile } from './png-chunks.ts';
import { rawSize, readSamples, type PngHeader } from './png-pixels.ts';
import { writePng } from './png-writer.ts';

/**
 * PNG images with 1, 8 or 16 bits per sample and one to four channels.
 * Samples are plain numbers: colour profiles are not applied.
 */
export const PNG: FileFormat = {
  name: 'png',
  title: 'PNG picture',
  endings: ['.png'],
  holds: 'one',
  read: readPng,
  write(tensors) {
    const only = onlyTensor(tensors, '.png');
    return 'kind' in only ? only : writePng(only.tensor);
  },
};

/** The maximum number of samples; larger images are refused before memory is allocated. */
const MAX_SAMPLES = 2 ** 28;
/** The length of the header of a zlib stream in bytes. */
const ZLIB_HEADER = 2;

function readPng(bytes: Uint8Array): FileReading {
  const file = readPngChunks(bytes);
  if (file.kind === 'fault') return file;
  const { width, height } = file.header;
  const count = BigInt(width) * BigInt(height) * BigInt(file.header.colour === 3 ? 4 : file.header.channels);
  if (count > MAX_SAMPLES)
    return fault(
      `The picture has ${showCount(width)} by ${showCount(height)} pixels, ${showCount(count)} samples, and is read up to ${showCount(MAX_SAMPLES)}.`,
    );
  const raw = unpack(file);
  if ('kind' in raw) return raw;
  const samples = readSamples(file.header, raw.bytes);
  if (!samples) return fault('The PNG file is broken: a row of its picture has an unknown filter.');
  const image = file.header.colour === 3 ? expandPalette(file, samples) : expandGrey(file, samples);
  if ('kind' in image) return image;
  const { dtype, channels, data, notes } = image;
  const tensor: Tensor = {
    dtype,
    shape: [height, width, ...(channels === 1 ? [] : [channels])],
    bytes: data,
  };
  return { kind: 'ok', tensors: [{ name: '', tensor }], notes: [...notes, ...raw.notes, ...notRead(file)] };
}

function unpack({ header, packed }: PngFile): { bytes: Uint8Array; notes: readonly string[] } | Fault {
  const [method = 0, flags = 0] = packed;
  // RFC 1950, 2.2: deflate, a valid check value, no preset dictionary.
  if ((method & 15) !== 8 || ((method << 8) | flags) % 31 !== 0 || (flags & 32) !== 0)
    return fault('The PNG file is broken: its picture is not packed by zlib.');
  const raw = inflate(packed.subarray(ZLIB_HEADER), rawSize(header));
  if (raw.kind === 'fault') return fault(`The PNG file is broken: ${raw.problem}.`);
  return { bytes: raw.bytes, notes: raw.more ? ['Data after the last row were not read.'] : [] };
}

function notRead({ others, rest }: PngFile): readonly string[] {
  return [
    ...(others.length === 0
      ? []
      : [`Not read: ${joinWords(others, 'and')}. The samples are the numbers that the file holds.`]),
    ...(rest === 0 ? [] : [`${countOf(rest, 'byte')} after the end of the picture were not read.`]),
  ];
}

interface Image {
  readonly dtype: 'bool' | 'uint8' | 'uint16';
  readonly channels: number;
  readonly data: Uint8Array;
  readonly notes: readonly string[];
}

function expandPalette({ palette, transparency }: PngFile, indices: Uint8Array): Image | Fault {
  const colours = Math.floor(palette.length / 3);
  const outside = indices.findIndex(index => index >= colours);
  if (outside >= 0)
    return fault(
      `The PNG file is broken: pixel ${showCount(outside)} has colour ${indices[outside]}, and its palette has ${colours}.`,
    );
  const channels = transparency ? 4 : 3;
  const data = new Uint8Array(indices.length * channels);
  for (let pixel = 0; pixel < indices.length; pixel++) {
    const index = indices[pixel] ?? 0;
    for (let channel = 0; channel < 3; channel++)
      data[pixel * channels + channel] = palette[index * 3 + channel] ?? 0;
    // Palette entries after the end of tRNS are opaque.
    if (transparency) data[pixel * channels + 3] = transparency[index] ?? 255;
  }
  const notes = [`The palette of ${countOf(colours, 'colour')} was expanded to ${channels} channels.`];
  return { dtype: 'uint8', channels, data, notes };
}

/** Scales grey samples of fewer than 8 bits to the full range; 1-bit samples without transparency become bools. */
function expandGrey({ header, transparency }: PngFile, samples: Uint8Array): Image {
  const { depth, channels } = header;
  const dtype = depth === 16 ? 'uint16' : 'uint8';
  if (depth === 1 && !transparency) return { dtype: 'bool', channels, data: samples, notes: [] };
  const factor = depth < 8 ? 255 / (2 ** depth - 1) : 1;
  const scaled = factor === 1 ? samples : samples.map(sample => sample * factor);
  const notes = factor === 1 ? [] : [`Samples of ${countOf(depth, 'bit')} were multiplied by ${factor}.`];
  if (!transparency || channels % 2 === 0) return { dtype, channels, data: scaled, notes };
  return {
    dtype,
    channels: channels + 1,
    data: addAlpha(header, samples, scaled, transparency),
    notes: [...notes, 'The transparent colour became an alpha channel.'],
  };
}

/** Adds an alpha channel: 0 for pixels of the transparent colour, which tRNS specifies with 16 bits per sample. */
function addAlpha(
  { channels, depth }: PngHeader,
  samples: Uint8Array,
  scaled: Uint8Array,
  transparency: Uint8Array,
): Uint8Array {
  const size = depth === 16 ? 2 : 1;
  const key = Array.from({ length: channels * size }, (_, byte) =>
    size === 2 ? transparency[byte ^ 1] : (transparency[byte * 2 + 1] ?? 0) & (2 ** depth - 1),
  );
  const pixel = channels * size;
  const data = new Uint8Array((samples.length / pixel) * (pixel + size));
  for (let from = 0, to = 0; from < samples.length; from += pixel, to += pixel + size) {
    data.set(scaled.subarray(from, from + pixel), to);
    const isKey = key.every((byte, at) => samples[from + at] === byte);
    data.fill(isKey ? 0 : 255, to + pixel, to + pixel + size);
  }
  return data;
}
