import { findTarget, showNoTensor } from './tensor-target.ts';
import type { Command } from '../feature.ts';
import type { TensorsParts } from './parts.ts';

/** Shows a tensor in an inspector beside its document: the one of a lens, else the one at the cursor. */
export const inspectTensor: Command<TensorsParts> = async (services, args) => {
  const found = await findTarget(services, args);
  if (found) services.inspectors.inspect(found);
  else showNoTensor();
};
