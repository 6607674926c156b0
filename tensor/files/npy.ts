import { strToU8 } from 'fflate';
import { findDtype } from '../../core/catalog/dtypes.ts';
import { countOf } from '../../core/text/count.ts';
import { stridesOf, type Tensor } from '../tensor.ts';
import { fault, onlyTensor, type Fault, type FileFormat, type FileReading } from './file-format.ts';
import { NPY_MAGIC, npyHeader, type NpyHeader } from './npy-header.ts';

/** NumPy's single-array file format (numpy.lib.format). */
export const NPY: FileFormat = {
  name: 'npy',
  title: 'NumPy array',
  endings: ['.npy'],
  holds: 'one',
  read: readNpy,
  write(tensors) {
    const only = onlyTensor(tensors, '.npy');
    if ('kind' in only) return only;
    const bytes = writeNpy(only.tensor);
    return bytes instanceof Uint8Array ? { kind: 'ok', bytes, notes: [] } : bytes;
  },
};

function readNpy(bytes: Uint8Array): FileReading {
  const reading = npyHeader(bytes);
  if (reading.kind === 'fault') return reading;
  if (reading.kind === 'more')
    return fault(
      `The .npy file ends inside its header, after ${countOf(bytes.length, 'byte')}: it was cut off. Copy it again.`,
    );
  const { header } = reading;
  const { dtype, shape, dataStart, dataEnd } = header;
  if (bytes.length < dataEnd)
    return fault(
      `The .npy file claims ${dtype} with the shape (${shape.join(', ')}): ${countOf(dataEnd - dataStart, 'byte')} of data, and it has ${countOf(bytes.length - dataStart, 'byte')}. It was cut off: copy it again.`,
    );
  const { tensor, notes } = readNpyData(header, bytes.subarray(dataStart, dataEnd));
  const more = bytes.length - dataEnd;
  const rest =
    more > 0 ? [`The file has ${countOf(more, 'byte')} after the array, which were not read.`] : [];
  return { kind: 'ok', tensors: [{ name: '', tensor }], notes: [...notes, ...rest] };
}

/**
 * The array for a header and its data, which must have the length that the header specifies. Little-endian
 * data in C order are not copied.
 */
export function readNpyData(
  { dtype, shape, byteOrder, order }: NpyHeader,
  data: Uint8Array,
): { readonly tensor: Tensor; readonly notes: readonly string[] } {
  const row = findDtype(dtype);
  const size = row?.bytes ?? 1;
  const notes: string[] = [];
  let bytes = data;
  if (byteOrder === 'big') {
    bytes = swapBytes(bytes, row?.kind === 'complex' ? size / 2 : size);
    notes.push('The data are big-endian in the file, and were turned to little-endian.');
  }
  if (order === 'Fortran' && shape.length > 1) {
    bytes = toRowMajor(bytes, shape, size);
    notes.push('The data are in Fortran order in the file, and were turned to C order.');
  }
  return { tensor: { dtype, shape, bytes }, notes };
}

function swapBytes(bytes: Uint8Array, size: number): Uint8Array {
  const swapped = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += size)
    for (let byte = 0; byte < size; byte++) swapped[at + byte] = bytes[at + size - 1 - byte] ?? 0;
  return swapped;
}

/** Converts elements from column-major to row-major order. */
function toRowMajor(bytes: Uint8Array, shape: readonly number[], size: number): Uint8Array {
  const turned = new Uint8Array(bytes.length);
  const steps = stridesOf(shape.toReversed())
    .toReversed()
    .map(stride => stride * size);
  const place = shape.map(() => 0);
  let from = 0;
  for (let to = 0; to < bytes.length; to += size) {
    for (let byte = 0; byte < size; byte++) turned[to + byte] = bytes[from + byte] ?? 0;
    // Advances to the next position in row-major order: increments the last axis, with carry.
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const step = steps[axis] ?? 0;
      from += step;
      const next = (place[axis] ?? 0) + 1;
      if (next < (shape[axis] ?? 0)) {
        place[axis] = next;
        break;
      }
      from -= next * step;
      place[axis] = 0;
    }
  }
  return turned;
}

/** The alignment of header and data in bytes, so that the file can be memory-mapped. */
const ALIGNMENT = 64;
/** The number of digits that NumPy reserves, so that the first axis can grow in place. */
const GROWTH_DIGITS = 21;

/** Encodes an array exactly as `numpy.save` does. */
export function writeNpy({ dtype, shape, bytes }: Tensor): Uint8Array | Fault {
  const descr = findDtype(dtype)?.npy;
  if (descr === undefined)
    return fault(
      `A .npy file cannot name ${dtype}. Cast the tensor to float32, which holds all of its values, or write a safetensors file.`,
    );
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const [first] = shape;
  const growth = first === undefined ? 0 : GROWTH_DIGITS - String(first).length;
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }${' '.repeat(growth)}`;
  const start = headerStart(text.length);
  const padding = ALIGNMENT - ((start + text.length + 1) % ALIGNMENT);
  const dataStart = start + text.length + padding + 1;
  const file = new Uint8Array(dataStart + bytes.length);
  file.set(NPY_MAGIC);
  const view = new DataView(file.buffer);
  file[6] = start === 10 ? 1 : 2;
  if (start === 10) view.setUint16(8, dataStart - start, true);
  else view.setUint32(8, dataStart - start, true);
  file.set(strToU8(`${text}${' '.repeat(padding)}\n`, true), start);
  file.set(bytes, dataStart);
  return file;
}

/** The offset of the header text: its length takes two bytes in version 1 and four in version 2. */
function headerStart(textLength: number): 10 | 12 {
  return textLength + 1 + ALIGNMENT <= 0xffff ? 10 : 12;
}
