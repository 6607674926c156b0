import { strToU8 } from 'fflate';
import { showCount } from '../../core/text/count.ts';
import { crc32 } from './crc32.ts';
import { fault, type Fault } from './file-format.ts';

/** A file to add to an archive. */
export interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** 1 January 1980, the first date of the format: a constant date makes the output reproducible. */
const DATE = 0x0021;
/** The flag for UTF-8 names (APPNOTE 6.3.10, 4.4.4, bit 11). */
const UTF8 = 0x0800;
const VERSION = 20;
const LOCAL_LENGTH = 30;
const CENTRAL_LENGTH = 46;
const END_LENGTH = 22;
const MAX_SIZE = 0xffff_fffe;
const MAX_FILES = 0xfffe;

/** Encodes a ZIP archive of stored files (APPNOTE 6.3.10). Without ZIP64, so size and number of files are limited. */
export function writeZip(files: readonly ZipFile[]): Uint8Array | Fault {
  const entries = files.map(({ name, bytes }) => ({ name: strToU8(name), bytes }));
  const data = entries.reduce((sum, { name, bytes }) => sum + LOCAL_LENGTH + name.length + bytes.length, 0);
  const directory = entries.reduce((sum, { name }) => sum + CENTRAL_LENGTH + name.length, 0);
  if (data + directory > MAX_SIZE || files.length > MAX_FILES)
    return fault(
      `The archive would have ${showCount(files.length)} files and ${showCount(data + directory)} bytes, and it is written for up to ${showCount(MAX_FILES)} and 4 GiB. Write a safetensors file.`,
    );
  const archive = new Uint8Array(data + directory + END_LENGTH);
  const view = new DataView(archive.buffer);
  let at = 0;
  let entryAt = data;
  for (const { name, bytes } of entries) {
    const crc = crc32(bytes);
    view.setUint32(at, 0x0403_4b50, true);
    writeFacts(view, at + 4, name.length, bytes.length, crc);
    archive.set(name, at + LOCAL_LENGTH);
    archive.set(bytes, at + LOCAL_LENGTH + name.length);
    view.setUint32(entryAt, 0x0201_4b50, true);
    view.setUint16(entryAt + 4, VERSION, true);
    writeFacts(view, entryAt + 6, name.length, bytes.length, crc);
    view.setUint32(entryAt + 42, at, true);
    archive.set(name, entryAt + CENTRAL_LENGTH);
    at += LOCAL_LENGTH + name.length + bytes.length;
    entryAt += CENTRAL_LENGTH + name.length;
  }
  view.setUint32(entryAt, 0x0605_4b50, true);
  view.setUint16(entryAt + 8, files.length, true);
  view.setUint16(entryAt + 10, files.length, true);
  view.setUint32(entryAt + 12, directory, true);
  view.setUint32(entryAt + 16, data, true);
  return archive;
}

/** Writes the fields that a local header and a directory entry have in common; the method stays 0, stored. */
function writeFacts(view: DataView, at: number, nameLength: number, size: number, crc: number): void {
  view.setUint16(at, VERSION, true);
  view.setUint16(at + 2, UTF8, true);
  view.setUint16(at + 8, DATE, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, size, true);
  view.setUint32(at + 18, size, true);
  view.setUint16(at + 22, nameLength, true);
}
