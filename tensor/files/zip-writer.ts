import { strToU8, zipSync, type Zippable } from 'fflate';
import { showCount } from '../../core/text/count.ts';
import { fault, type Fault } from './file-format.ts';

/** A file to add to an archive. */
export interface ZipFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The first date of the format: a constant date makes the output reproducible. */
const DATE = new Date(1980, 0, 1);
const LOCAL_LENGTH = 30;
const CENTRAL_LENGTH = 46;
const MAX_SIZE = 0xffff_fffe;
const MAX_FILES = 0xfffe;

/** Encodes a ZIP archive of stored files (APPNOTE 6.3.10). Without ZIP64, so size and number of files are limited. */
export function writeZip(files: readonly ZipFile[]): Uint8Array | Fault {
  const size = files.reduce(
    (sum, { name, bytes }) => sum + LOCAL_LENGTH + CENTRAL_LENGTH + 2 * strToU8(name).length + bytes.length,
    0,
  );
  if (size > MAX_SIZE || files.length > MAX_FILES)
    return fault(
      `The archive would have ${showCount(files.length)} files and ${showCount(size)} bytes, and it is written for up to ${showCount(MAX_FILES)} and 4 GiB. Write a safetensors file.`,
    );
  const entries = files.map(({ name, bytes }) => [name, bytes] as const);
  return zipSync(Object.fromEntries<Uint8Array>(entries) satisfies Zippable, { level: 0, mtime: DATE });
}
