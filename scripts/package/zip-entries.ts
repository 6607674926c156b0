/** A file in a zip archive. */
export interface ZipEntry {
  readonly name: string;
  /** The compressed and the uncompressed size in bytes. */
  readonly packed: number;
  readonly size: number;
}

const END_RECORD = 0x06054b50;
const DIRECTORY_RECORD = 0x02014b50;
const END_LENGTH = 22;
const DIRECTORY_LENGTH = 46;
/** The maximum length of the comment after the end record. */
const LONGEST_COMMENT = 0xffff;

/**
 * The files in a ZIP archive (APPNOTE.TXT sections 4.3.12 and 4.3.16), in directory order. Throws if the
 * directory is missing; archives of 4 GB or 65,535 files are not supported.
 */
export function listZipEntries(archive: Buffer): readonly ZipEntry[] {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(at) !== DIRECTORY_RECORD)
      throw new Error('listZipEntries: the directory is broken');
    const nameLength = archive.readUInt16LE(at + 28);
    const start = at + DIRECTORY_LENGTH;
    entries.push({
      name: archive.toString('utf8', start, start + nameLength),
      packed: archive.readUInt32LE(at + 20),
      size: archive.readUInt32LE(at + 24),
    });
    at = start + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_LENGTH - LONGEST_COMMENT);
  for (let at = archive.length - END_LENGTH; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === END_RECORD) return at;
  }
  throw new Error('listZipEntries: this is no zip archive');
}
