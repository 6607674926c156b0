import { strToU8 } from 'fflate';
import { countOf, showCount } from '../../core/text/count.ts';
import { ELEMENTS, showElement, viewOf } from '../elements.ts';
import { countElements, elementSize, type Tensor } from '../tensor.ts';
import { joinBytes } from '../../core/events/bytes.ts';
import { readCsv } from './csv-reader.ts';
import { fault, onlyTensor, type Fault, type FileFormat } from './file-format.ts';

/** CSV files: one value for each line, or one row for each line with commas between values. */
export const CSV: FileFormat = {
  name: 'csv',
  title: 'Comma-separated values',
  endings: ['.csv', '.txt'],
  holds: 'one',
  read: readCsv,
  write(tensors) {
    const only = onlyTensor(tensors, '.csv');
    if ('kind' in only) return only;
    const bytes = writeCsv(only.tensor);
    return bytes instanceof Uint8Array ? { kind: 'ok', bytes, notes: notKept(only.tensor) } : bytes;
  },
};

/** The maximum number of values to write: more are useless in a spreadsheet and take too long. */
const MAX_VALUES = 2 ** 25;
/** The number of values that are encoded at a time. */
const BLOCK_VALUES = 65_536;

function writeCsv(tensor: Tensor): Uint8Array | Fault {
  const { shape } = tensor;
  const count = countElements(shape);
  if (shape.length > 2)
    return fault(
      `A .csv file holds one or two axes, and the tensor has ${shape.length}. Slice it to two, or reshape it.`,
    );
  if (count === 0)
    return fault(
      `The tensor of the shape [${shape.join(', ')}] has no values, and a .csv file holds nothing else.`,
    );
  if (count > MAX_VALUES)
    return fault(
      `The tensor has ${showCount(count)} values, and a .csv file is written for up to ${showCount(MAX_VALUES)}. Slice it, or write an .npy file.`,
    );
  return joinBytes(writeBlocks(tensor, count));
}

/** Encodes each value as the shortest text that reads back as the same value. */
function writeBlocks(tensor: Tensor, count: number): readonly Uint8Array[] {
  const { dtype, shape } = tensor;
  const codec = ELEMENTS[dtype];
  const size = elementSize(dtype);
  const view = viewOf(tensor);
  const columns = shape.length === 2 ? (shape[1] ?? 1) : 1;
  const blocks: Uint8Array[] = [];
  let texts: string[] = [];
  for (let index = 0; index < count; index++) {
    texts.push(showElement(dtype, codec.read(view, index * size)), (index + 1) % columns === 0 ? '\n' : ',');
    if (texts.length < BLOCK_VALUES * 2 && index + 1 < count) continue;
    blocks.push(strToU8(texts.join(''), true));
    texts = [];
  }
  return blocks;
}

/** Notes on what does not read back as it was written. */
function notKept({ dtype, shape, bytes }: Tensor): readonly string[] {
  const notes: string[] = [];
  if (dtype !== 'bool' && dtype !== 'int64' && dtype !== 'float64' && dtype !== 'complex128')
    notes.push(`A .csv file keeps the values and not the data type: cast what is read back to ${dtype}.`);
  if (shape.length === 0 || shape[1] === 1)
    notes.push(
      `A .csv file does not keep the shape [${shape.join(', ')}]: it reads back as ${countOf(countElements(shape), 'value')} on one axis.`,
    );
  if (dtype === 'bool' && bytes.some(byte => byte > 1)) notes.push('Bytes above 1 are written as true.');
  return notes;
}
