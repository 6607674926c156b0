import { strFromU8 } from 'fflate';
import { showCount } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { findBadByte } from '../../core/text/utf8.ts';
import { fault, type Fault } from './file-format.ts';

/** A file in a ZIP archive. Its position has been checked against the archive and the other members. */
export interface ZipMember {
  readonly name: string;
  /** The compression method: 0 stored, 8 deflated; others are not supported. */
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc: number;
  /** The uncompressed size in bytes that the archive declares. */
  readonly size: number;
  /** The compressed bytes in the archive. */
  readonly packed: Uint8Array;
}

export type ZipReading = { readonly kind: 'ok'; readonly members: readonly ZipMember[] } | Fault;

/** Signatures (little-endian) and lengths of the records (PKWARE APPNOTE 6.3.10, 4.3). */
const LOCAL = { signature: 0x0403_4b50, length: 30 } as const;
const CENTRAL = { signature: 0x0201_4b50, length: 46 } as const;
const END = { signature: 0x0605_4b50, length: 22 } as const;
const END_64 = { signature: 0x0606_4b50, length: 56 } as const;
const LOCATOR_64 = { signature: 0x0706_4b50, length: 20 } as const;

const MAX_COMMENT = 0xffff;
/** The field value that refers to the ZIP64 record for the actual number. */
const IN_ZIP64 = 0xffff_ffff;

/** A member as listed in the directory, before its position is validated. */
interface Entry extends Omit<ZipMember, 'packed'> {
  readonly packedSize: number;
  readonly at: number;
}

/**
 * Lists the members of a ZIP archive (APPNOTE 6.3.10, including ZIP64) without decompressing them.
 * Overlapping members are refused, because a small archive could claim many large files with them.
 */
export function readZip(bytes: Uint8Array): ZipReading {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = findDirectory(view);
  if ('kind' in directory) return directory;
  const entries = readDirectory(bytes, view, directory);
  if ('kind' in entries) return entries;
  return locate(bytes, view, entries, directory.start);
}

interface Directory {
  readonly start: number;
  readonly end: number;
  readonly count: number;
}

function findDirectory(view: DataView): Directory | Fault {
  const lowest = Math.max(0, view.byteLength - END.length - MAX_COMMENT);
  for (let at = view.byteLength - END.length; at >= lowest; at--) {
    if (view.getUint32(at, true) !== END.signature) continue;
    const wide = findZip64(view, at);
    if (wide) return checkDirectory(wide);
    const start = view.getUint32(at + 16, true);
    const length = view.getUint32(at + 12, true);
    return checkDirectory({ start, end: start + length, count: view.getUint16(at + 10, true), limit: at });
  }
  return fault(
    'The file has no directory at its end, as a ZIP archive does: it was cut off, or is another kind of file.',
  );
}

function checkDirectory({
  start,
  end,
  count,
  limit,
}: Directory & { readonly limit: number }): Directory | Fault {
  if (end <= limit) return { start, end, count };
  return fault(
    `The ZIP archive is broken: its directory would end at byte ${showCount(end)}, and it ends before byte ${showCount(limit)}.`,
  );
}

function findZip64(view: DataView, endAt: number): (Directory & { readonly limit: number }) | undefined {
  const locator = endAt - LOCATOR_64.length;
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR_64.signature) return undefined;
  const at = Number(view.getBigUint64(locator + 8, true));
  if (at > locator - END_64.length || view.getUint32(at, true) !== END_64.signature) return undefined;
  const start = Number(view.getBigUint64(at + 48, true));
  const end = start + Number(view.getBigUint64(at + 40, true));
  return { start, end, count: Number(view.getBigUint64(at + 32, true)), limit: at };
}

function readDirectory(
  bytes: Uint8Array,
  view: DataView,
  { start, end, count }: Directory,
): readonly Entry[] | Fault {
  const entries: Entry[] = [];
  for (let at = start; at < end;) {
    if (at + CENTRAL.length > end || view.getUint32(at, true) !== CENTRAL.signature) return noEntry(at);
    const nameEnd = at + CENTRAL.length + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const next = extraEnd + view.getUint16(at + 32, true);
    if (next > end) return noEntry(at);
    const [size, packedSize, local] = readWide(view, nameEnd, extraEnd, [
      view.getUint32(at + 24, true),
      view.getUint32(at + 20, true),
      view.getUint32(at + 42, true),
    ]);
    entries.push({
      name: readName(bytes.subarray(at + CENTRAL.length, nameEnd)),
      method: view.getUint16(at + 10, true),
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      crc: view.getUint32(at + 16, true),
      size,
      packedSize,
      at: local,
    });
    at = next;
  }
  if (entries.length === count) return entries;
  return fault(
    `The ZIP archive is broken: its directory has ${entries.length} entries, and its end claims ${count}.`,
  );
}

function noEntry(at: number): Fault {
  return fault(`The ZIP archive is broken: its directory holds no whole entry at byte ${showCount(at)}.`);
}

type Sizes = readonly [size: number, packedSize: number, at: number];

/** The numbers of an entry; those that exceed 32 bits are read from extra field 1, in the same order. */
function readWide(view: DataView, from: number, to: number, [size, packedSize, at]: Sizes): Sizes {
  for (let field = from; field + 4 <= to; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue;
    let next = field + 4;
    const end = Math.min(to, next + view.getUint16(field + 2, true));
    const widen = (value: number): number => {
      if (value !== IN_ZIP64 || next + 8 > end) return value;
      next += 8;
      return Number(view.getBigUint64(next - 8, true));
    };
    return [widen(size), widen(packedSize), widen(at)];
  }
  return [size, packedSize, at];
}

/** Decodes a name as UTF-8, or one byte for each character if it is in an old code page. */
function readName(bytes: Uint8Array): string {
  return strFromU8(bytes, findBadByte(bytes) !== undefined);
}

function locate(bytes: Uint8Array, view: DataView, entries: readonly Entry[], limit: number): ZipReading {
  const packed = new Map<number, Uint8Array>();
  let before = 0;
  for (const { name, at, packedSize } of entries.toSorted((one, other) => one.at - other.at)) {
    const broken = `The ZIP archive is broken: its member ${quote(name)}`;
    if (at + LOCAL.length > limit || view.getUint32(at, true) !== LOCAL.signature)
      return fault(`${broken} does not begin at byte ${showCount(at)}, as its directory says.`);
    if (at < before) return fault(`${broken} overlaps the one before it at byte ${showCount(at)}.`);
    const start = at + LOCAL.length + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    before = start + packedSize;
    if (before > limit)
      return fault(
        `${broken} would end at byte ${showCount(before)}, and the directory begins at ${showCount(limit)}.`,
      );
    packed.set(at, bytes.subarray(start, before));
  }
  const members = entries.map(({ name, method, encrypted, crc, size, at }) => {
    return { name, method, encrypted, crc, size, packed: packed.get(at) ?? new Uint8Array(0) };
  });
  return { kind: 'ok', members };
}
