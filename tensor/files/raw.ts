import { findDtype } from '../../core/catalog/dtypes.ts';
import { countOf } from '../../core/text/count.ts';
import { quote } from '../../core/text/quote.ts';
import { countBytes } from '../tensor-text.ts';
import { fault, onlyTensor, type FileFormat } from './file-format.ts';

/** The plain bytes of one tensor, little-endian and row-major, without a header. */
export const RAW: FileFormat = {
  name: 'bin',
  title: 'Raw bytes',
  endings: ['.bin', '.raw'],
  holds: 'one',
  read(bytes, wanted) {
    if (!wanted)
      return fault('A file of raw bytes does not say what it holds: give the data type and the shape.');
    const { shape } = wanted;
    const row = findDtype(wanted.dtype);
    if (!row) return fault(`${quote(wanted.dtype)} is not a data type of a tensor.`);
    if (!shape.every(size => Number.isSafeInteger(size) && size >= 0))
      return fault(`[${shape.join(', ')}] is not a shape: its sizes have to be whole numbers from 0 on.`);
    const needed = countBytes(shape.map(BigInt), row.bytes);
    if (needed !== BigInt(bytes.length))
      return fault(
        `${row.name} with the shape [${shape.join(', ')}] takes ${countOf(needed, 'byte')}, and the file has ${countOf(bytes.length, 'byte')}.`,
      );
    return { kind: 'ok', tensors: [{ name: '', tensor: { dtype: row.name, shape, bytes } }], notes: [] };
  },
  write(tensors) {
    const only = onlyTensor(tensors, '.bin');
    if ('kind' in only) return only;
    const { dtype, shape, bytes } = only.tensor;
    const notes = [
      `The file does not keep the data type and the shape: it is ${dtype} with the shape [${shape.join(', ')}], little-endian.`,
    ];
    return { kind: 'ok', bytes, notes };
  },
};
