import { exportTensor as exportSource } from './export-tensor.ts';
import { readUri } from '../../commands/arguments.ts';
import type { Command } from '../../commands/command.ts';
import { withTensor } from './tensor-target.ts';

/**
 * Saves a tensor to a file and returns the file: the tensor of the inspector in front or at the cursor.
 * Arguments can name document, position and target file.
 */
export const exportTensor: Command = (services, args) => {
  const target = readUri(args[2]);
  return withTensor(services, args, source => exportSource(source, target ? { target } : {}));
};
