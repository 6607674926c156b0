import { CSV } from './csv.ts';
import type { FileFormat } from './file-format.ts';
import { NPY } from './npy.ts';
import { NPZ } from './npz.ts';
import { PNG } from './png.ts';
import { RAW } from './raw.ts';
import { SAFETENSORS } from './safetensors.ts';

/** The file formats in which arrays are read and written. */
export const FILE_FORMATS: readonly FileFormat[] = [NPY, NPZ, SAFETENSORS, CSV, PNG, RAW];

/** The format of a file by its extension, ignoring case. */
export function findFormat(fileName: string): FileFormat | undefined {
  const name = fileName.toLowerCase();
  return FILE_FORMATS.find(({ endings }) => endings.some(ending => name.endsWith(ending)));
}
