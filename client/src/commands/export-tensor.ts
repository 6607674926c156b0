import { exportTensor as exportSource } from '../tensor/export-tensor.ts';
import { readUri } from './arguments.ts';
import type { Command } from './command.ts';
import { withTensor } from './tensor-target.ts';

/**
 * Saves a tensor in a file and answers the file: the one of the inspector in front, or at the cursor; or the one that
 * the arguments name by document and position, in the file that a third one names.
 */
export const exportTensor: Command = (services, args) => {
  const target = readUri(args[2]);
  return withTensor(services, args, source => exportSource(source, target ? { target } : {}));
};
