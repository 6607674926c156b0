import { strToU8 } from 'fflate';
import { findDtype, type DtypeName } from '../../core/catalog/dtypes.ts';
import { countOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import {
  fault,
  type FileFormat,
  type FileReading,
  type FileWriting,
  type NamedTensor,
} from './file-format.ts';
import { nameTensors } from './names.ts';
import { readSafetensorsHeader, tensorOfMember } from './safetensors-header.ts';

/** The file format of named tensors that is common for model weights. */
export const SAFETENSORS: FileFormat = {
  name: 'safetensors',
  title: 'Safetensors',
  endings: ['.safetensors'],
  holds: 'several',
  read: readSafetensors,
  write: writeSafetensors,
};

function readSafetensors(bytes: Uint8Array): FileReading {
  const reading = readSafetensorsHeader(bytes, bytes.length);
  if (reading.kind === 'fault') return reading;
  if (reading.kind === 'more')
    return fault(`The safetensors file ends inside its header, after ${countOf(bytes.length, 'byte')}.`);
  const tensors: NamedTensor[] = [];
  const notes = [...reading.notes];
  const unread: string[] = [];
  for (const member of reading.members) {
    const tensor = tensorOfMember(member, bytes.subarray(member.start, member.end));
    if (tensor) tensors.push({ name: member.name, tensor });
    else {
      unread.push(member.name);
      notes.push(`${quote(member.name)} was not read. ${member.problem ?? ''}`);
    }
  }
  return { kind: 'ok', tensors, notes, ...(unread.length > 0 && { unread }) };
}

/** The order of types in the reference implementation (safetensors, `Dtype`), which writes the last of them first. */
const ORDER: readonly DtypeName[] = [
  'bool',
  'uint8',
  'int8',
  'float8_e5m2',
  'float8_e4m3fn',
  'int16',
  'uint16',
  'float16',
  'bfloat16',
  'int32',
  'uint32',
  'float32',
  'complex64',
  'float64',
  'int64',
  'uint64',
];

const LENGTH_BYTES = 8;

/**
 * Encodes tensors like the reference implementation: by descending
 * type and then by name, with a header padded to 8 bytes.
 */
function writeSafetensors(tensors: readonly NamedTensor[]): FileWriting {
  if (tensors.length === 0) return fault('There is no tensor to write.');
  const refused = tensors.find(({ tensor }) => findDtype(tensor.dtype)?.safetensors === undefined);
  if (refused)
    return fault(
      `A safetensors file cannot name ${refused.tensor.dtype}. Write an .npy or .npz file, or cast the tensor to complex64, which rounds its values.`,
    );
  // This name is reserved for metadata.
  const clean = (name: string): string => (name === '__metadata__' ? '__metadata___' : name);
  const { named, notes } = nameTensors(tensors, { prefix: 'tensor_', clean });
  const ordered = named.toSorted(
    (one, other) =>
      ORDER.indexOf(other.tensor.dtype) - ORDER.indexOf(one.tensor.dtype) ||
      compareCodePoints(one.name, other.name),
  );
  return { kind: 'ok', bytes: layOut(ordered), notes };
}

function layOut(tensors: readonly NamedTensor[]): Uint8Array {
  let offset = 0;
  const entries = tensors.map(({ name, tensor: { dtype, shape, bytes } }) => {
    const start = offset;
    offset += bytes.length;
    const entry = { dtype: findDtype(dtype)?.safetensors, shape, data_offsets: [start, offset] };
    return `${JSON.stringify(name)}:${JSON.stringify(entry)}`;
  });
  const header = strToU8(`{${entries.join(',')}}`);
  const headerLength = Math.ceil(header.length / LENGTH_BYTES) * LENGTH_BYTES;
  const file = new Uint8Array(LENGTH_BYTES + headerLength + offset);
  new DataView(file.buffer).setBigUint64(0, BigInt(headerLength), true);
  file.set(header, LENGTH_BYTES);
  file.fill(0x20, LENGTH_BYTES + header.length, LENGTH_BYTES + headerLength);
  let at = LENGTH_BYTES + headerLength;
  for (const { tensor } of tensors) {
    file.set(tensor.bytes, at);
    at += tensor.bytes.length;
  }
  return file;
}

/** Compares by code points, which gives the order of the UTF-8 bytes; negative if `one` comes first. */
function compareCodePoints(one: string, other: string): number {
  for (let at = 0; at < one.length && at < other.length; at++) {
    if (one.charCodeAt(at) === other.charCodeAt(at)) continue;
    return (one.codePointAt(at) ?? 0) - (other.codePointAt(at) ?? 0);
  }
  return one.length - other.length;
}
