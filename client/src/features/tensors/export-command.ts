import { exportTensor as exportSource } from './export-tensor.ts';
import { readUri } from '../../targets/arguments.ts';
import { withTensor } from './tensor-target.ts';
import type { Command } from '../feature.ts';
import type { TensorsParts } from './parts.ts';

/**
 * Saves a tensor to a file and returns the file: the tensor of the inspector in front or at the cursor.
 * Arguments can name document, position and target file.
 */
export const exportTensor: Command<TensorsParts> = (services, args) => {
  const target = readUri(args[2]);
  return withTensor(services, args, source => exportSource(source, target ? { target } : {}));
};
