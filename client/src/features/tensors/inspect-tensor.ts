import type { Command } from '../../commands/command.ts';
import { findTarget, showNoTensor } from './tensor-target.ts';

/** Shows a tensor in an inspector beside its document: the one of a lens, else the one at the cursor. */
export const inspectTensor: Command = async (services, args) => {
  const found = await findTarget(services, args);
  if (found) services.inspectors.inspect(found);
  else showNoTensor();
};
