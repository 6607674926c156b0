import { strFromU8 } from 'fflate';
import { DTYPES, findDtype } from '../../core/catalog/dtypes.ts';
import { countOf, showCount } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { findBadByte } from '../../core/text/utf8.ts';
import { countBytes } from '../tensor-text.ts';
import type { Tensor } from '../tensor.ts';
import { fault, type Fault, type FileMember } from './file-format.ts';
import { isEntries, readJsonText, readSizes, type Literal } from './literals.ts';

/** What the start of a safetensors file says of its tensors. */
export type SafetensorsHeaderReading =
  | {
      readonly kind: 'ok';
      /** The tensors in header order. */
      readonly members: readonly FileMember[];
      /** Sentences about the metadata of the file and about bytes that belong to no tensor. */
      readonly notes: readonly string[];
      /** The offset of the data. */
      readonly headerEnd: number;
    }
  /** The header is incomplete; `needed` is the number of bytes from the start of the file that contain it. */
  | { readonly kind: 'more'; readonly needed: number }
  | Fault;

/** The limit of the safetensors library. */
const MAX_HEADER = 100_000_000;
const LENGTH_BYTES = 8;

/**
 * Reads the header of a safetensors file (its README, "Format") from the bytes at the start of the file. Checks the
 * offsets of each tensor against its shape, the other tensors and the file size. The data are not read.
 */
export function readSafetensorsHeader(start: Uint8Array, fileSize: number): SafetensorsHeaderReading {
  if (fileSize < LENGTH_BYTES)
    return fault(
      `The safetensors file has ${countOf(fileSize, 'byte')}, and begins with 8 for the length of its header: it was cut off.`,
    );
  if (start.length < LENGTH_BYTES) return { kind: 'more', needed: LENGTH_BYTES };
  const length = new DataView(start.buffer, start.byteOffset, LENGTH_BYTES).getBigUint64(0, true);
  if (length > BigInt(fileSize - LENGTH_BYTES) || length > BigInt(MAX_HEADER))
    return fault(
      `The first 8 bytes of the safetensors file claim a header of ${countOf(length, 'byte')}, and ${
        length > BigInt(MAX_HEADER)
          ? `the format allows ${showCount(MAX_HEADER)}`
          : `the file has ${countOf(fileSize - LENGTH_BYTES, 'byte')} more`
      }: it was cut off, or is another kind of file.`,
    );
  const headerEnd = LENGTH_BYTES + Number(length);
  if (start.length < headerEnd) return { kind: 'more', needed: headerEnd };
  const header = start.subarray(LENGTH_BYTES, headerEnd);
  const bad = findBadByte(header);
  if (bad !== undefined)
    return fault(
      `The header of the safetensors file is not UTF-8: byte ${LENGTH_BYTES + bad} begins no character.`,
    );
  const text = strFromU8(header);
  const reading = readJsonText(text);
  if (reading.kind === 'fault')
    return fault(
      `The header of the safetensors file is broken at character ${reading.at}: ${reading.problem}.`,
    );
  return readEntries(reading.value, headerEnd, fileSize);
}

function readEntries(header: Literal, headerEnd: number, fileSize: number): SafetensorsHeaderReading {
  if (!isEntries(header)) return fault('The header of the safetensors file is not a JSON object.');
  const members: FileMember[] = [];
  const notes: string[] = [];
  for (const [name, entry] of header) {
    if (name === '__metadata__') {
      notes.push(...showMetadata(entry));
      continue;
    }
    const member = readMember(name, entry, headerEnd, fileSize);
    if ('kind' in member) return member;
    members.push(member);
  }
  const overlap = findOverlap(members);
  if (overlap) return overlap;
  return { kind: 'ok', members, notes: [...notes, ...countStray(members, headerEnd, fileSize)], headerEnd };
}

function showMetadata(entry: Literal): readonly string[] {
  if (!isEntries(entry)) return ['The metadata of the file are not a JSON object, and were not read.'];
  return [...entry].map(([key, value]) =>
    typeof value === 'string'
      ? `Metadata ${quote(key)}: ${quote(value)}.`
      : `Metadata ${quote(key)} is not a text, and was not read.`,
  );
}

function readMember(name: string, entry: Literal, headerEnd: number, fileSize: number): FileMember | Fault {
  const place = `The safetensors file is broken: its tensor ${quote(name)}`;
  if (!isEntries(entry)) return fault(`${place} is not described by a JSON object.`);
  const type = entry.get('dtype');
  const shape = readSizes(entry.get('shape'));
  const offsets = readSizes(entry.get('data_offsets'));
  if (typeof type !== 'string') return fault(`${place} has no dtype.`);
  if (!shape) return fault(`${place} has no shape, a list of sizes.`);
  const [from, to] = offsets ?? [];
  if (offsets?.length !== 2 || from === undefined || to === undefined)
    return fault(`${place} has no data_offsets, a list of two offsets.`);
  const start = headerEnd + from;
  const end = headerEnd + to;
  if (from > to) return fault(`${place} ends before it begins: its data_offsets are ${from} and ${to}.`);
  if (end > fileSize)
    return fault(
      `${place} ends at byte ${showCount(end)}, and the file has ${showCount(fileSize)}: it was cut off.`,
    );
  const row = DTYPES.find(candidate => 'safetensors' in candidate && candidate.safetensors === type);
  if (!row) {
    const problem = `Its type, ${type}, is not known here.`;
    return { name, dtype: type, shape, problem, start, end };
  }
  const wanted = countBytes(shape.map(BigInt), row.bytes);
  if (wanted !== BigInt(to - from))
    return fault(
      `${place} has ${countOf(to - from, 'byte')}, and ${type} with the shape [${shape.join(', ')}] takes ${showCount(wanted)}.`,
    );
  return { name, dtype: row.name, shape, start, end };
}

function inOrder(members: readonly FileMember[]): readonly FileMember[] {
  return members.toSorted((one, other) => one.start - other.start || one.end - other.end);
}

function findOverlap(members: readonly FileMember[]): Fault | undefined {
  let before: FileMember | undefined;
  for (const member of inOrder(members)) {
    if (before && member.start < before.end)
      return fault(
        `The safetensors file is broken: its tensors ${quote(before.name)} and ${quote(member.name)} overlap at byte ${showCount(member.start)}.`,
      );
    before = member;
  }
  return undefined;
}

/** A note on bytes that belong to no tensor, for which the safetensors library refuses a file. */
function countStray(members: readonly FileMember[], headerEnd: number, fileSize: number): readonly string[] {
  const owned = members.reduce((sum, { start, end }) => sum + end - start, 0);
  const stray = fileSize - headerEnd - owned;
  if (stray === 0) return [];
  return [
    `${countOf(stray, 'byte')} of the file belong to no tensor: the safetensors library refuses such a file.`,
  ];
}

/** The tensor of a member with its data; undefined for an unknown type or data of the wrong length. */
export function tensorOfMember(
  { dtype, shape, start, end }: FileMember,
  data: Uint8Array,
): Tensor | undefined {
  const row = findDtype(dtype);
  return row && data.length === end - start ? { dtype: row.name, shape, bytes: data } : undefined;
}
