import { countOf, showCount } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { crc32 } from './crc32.ts';
import {
  fault,
  type Fault,
  type FileFormat,
  type FileReading,
  type FileWriting,
  type NamedTensor,
} from './file-format.ts';
import { inflate } from './inflate.ts';
import { nameTensors } from './names.ts';
import { npyHeader } from './npy-header.ts';
import { NPY, writeNpy } from './npy.ts';
import { readZip, type ZipMember } from './zip-reader.ts';
import { writeZip, type ZipFile } from './zip-writer.ts';

/** NumPy's archive of named arrays: a ZIP file of .npy files. */
export const NPZ: FileFormat = {
  name: 'npz',
  title: 'NumPy archive',
  endings: ['.npz'],
  holds: 'several',
  read: readNpz,
  write: writeNpz,
};

/** The maximum total size of the decompressed arrays of an archive. */
const MAX_UNPACKED = 2 ** 30;
/** The number of bytes that usually contain the complete header of an array. */
const HEADER_SIZE = 1_024;
const STORED = 0;
const DEFLATED = 8;
const METHODS: Readonly<Record<number, string>> = { 12: 'bzip2', 14: 'LZMA', 93: 'Zstandard', 95: 'xz' };

/** Reads all arrays of an archive; each one that cannot be read is explained by a note. */
function readNpz(bytes: Uint8Array): FileReading {
  const zip = readZip(bytes);
  if (zip.kind === 'fault') return zip;
  const tensors = new Map<string, NamedTensor>();
  const notes: string[] = [];
  const unread: string[] = [];
  let left = MAX_UNPACKED;
  for (const member of zip.members) {
    const name = member.name.replace(/\.npy$/, '');
    const unpacked = unpack(member, left);
    if (unpacked instanceof Uint8Array && member.method !== STORED) left -= unpacked.length;
    const reading = unpacked instanceof Uint8Array ? NPY.read(unpacked) : unpacked;
    if (reading.kind === 'fault') {
      notes.push(`${quote(member.name)} was not read. ${reading.problem}`);
      // The archive may also contain files that are not arrays.
      if (name !== member.name) unread.push(name);
      continue;
    }
    if (tensors.has(name)) notes.push(`Two arrays have the name ${quote(name)}: the later one was read.`);
    for (const { tensor } of reading.tensors) tensors.set(name, { name, tensor });
    notes.push(...reading.notes.map(note => `${quote(name)}: ${note}`));
  }
  if (tensors.size === 0) return fault(['The archive holds no array that can be read.', ...notes].join(' '));
  return { kind: 'ok', tensors: [...tensors.values()], notes, ...(unread.length > 0 && { unread }) };
}

/** The bytes of a member, verified with its checksum. */
function unpack(member: ZipMember, limit: number): Uint8Array | Fault {
  const { method, encrypted, crc, size, packed } = member;
  if (encrypted) return fault('It is encrypted.');
  if (method !== STORED && method !== DEFLATED)
    return fault(
      `It is compressed by ${METHODS[method] ?? `method ${method}`}, and stored and deflated members are read. Save it with np.savez.`,
    );
  const bytes = method === STORED ? packed : inflateMember(member, limit);
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (bytes.length !== size)
    return fault(`It has ${countOf(bytes.length, 'byte')}, and the directory says ${showCount(size)}.`);
  return crc32(bytes) === crc ? bytes : fault('It is damaged: its checksum (CRC-32) does not fit.');
}

/** Decompresses the header first, so that nothing is allocated for a size that the header contradicts. */
function inflateMember({ size, packed }: ZipMember, limit: number): Uint8Array | Fault {
  if (size > limit)
    return fault(
      `It takes ${countOf(size, 'byte')} unpacked, and an archive is unpacked up to ${showCount(MAX_UNPACKED)}. Save it with np.savez, which does not compress.`,
    );
  const start = inflate(packed, Math.min(size, HEADER_SIZE));
  if (start.kind === 'fault') return fault(`It is damaged: ${start.problem}.`);
  const header = npyHeader(start.bytes);
  if (header.kind === 'fault') return header;
  if (header.kind === 'ok' && header.header.dataEnd !== size)
    return fault(
      `Its header makes it ${countOf(header.header.dataEnd, 'byte')} long, and the directory says ${showCount(size)}.`,
    );
  const whole = inflate(packed, size);
  if (whole.kind === 'fault') return fault(`It is damaged: ${whole.problem}.`);
  return whole.more
    ? fault(`It is damaged: unpacked, it goes on after the ${countOf(size, 'byte')} of the directory.`)
    : whole.bytes;
}

function writeNpz(tensors: readonly NamedTensor[]): FileWriting {
  if (tensors.length === 0) return fault('There is no tensor to write.');
  const { named, notes } = nameTensors(tensors, { prefix: 'arr_', clean: cleanName });
  const files: ZipFile[] = [];
  for (const { name, tensor } of named) {
    const bytes = writeNpy(tensor);
    if (!(bytes instanceof Uint8Array)) return fault(`${quote(name)}: ${bytes.problem}`);
    files.push({ name: `${name}.npy`, bytes });
  }
  const archive = writeZip(files);
  return archive instanceof Uint8Array ? { kind: 'ok', bytes: archive, notes } : archive;
}

/**
 * A name that is safe as a relative path on every system: without characters that file names cannot have and
 * without parts that lead out of the folder.
 */
function cleanName(name: string): string {
  return name
    .replace(/[\u0000-\u001f\u007f\\:*?"<>|]/g, '_')
    .split('/')
    .map(part => (/^\.*$/.test(part) ? '_'.repeat(Math.max(1, part.length)) : part))
    .join('/');
}
