import { isChange, type Change } from './change-tensor.ts';
import { applyChange, askForChange, READ_ONLY } from './edit-tensor.ts';
import type { TensorSource } from './source.ts';
import { showWarning } from '../../window/messages.ts';
import { withTensor } from './tensor-target.ts';
import { pickItem } from '../../window/sinks/quick-input.ts';
import type { Command } from '../feature.ts';
import type { TensorsParts } from './parts.ts';

/**
 * Changes a tensor in its message: reshapes, casts or slices the tensor of the inspector in front or at the
 * cursor. Arguments can name document, position and change. Returns why nothing was written.
 */
export const editTensor: Command<TensorsParts> = (services, args) =>
  withTensor(services, args, async source => {
    const change = isChange(args[2]) ? args[2] : await ask(source);
    const problem = typeof change === 'object' ? await applyChange(source, change) : change;
    if (problem !== undefined) showWarning(problem);
    return problem;
  });

const CHANGES = [
  { label: 'Reshape…', detail: 'The same elements in another shape.', type: 'reshape' },
  { label: 'Cast…', detail: 'The same elements in another data type.', type: 'cast' },
  { label: 'Slice…', detail: 'A part of each axis.', type: 'slice' },
] as const;

/** Asks for a change. Returns it, an error sentence, or undefined if the user cancels. */
async function ask(source: TensorSource): Promise<Change | string | undefined> {
  if (!source.write) return READ_ONLY;
  const { content } = await source.read();
  if (content.kind === 'fault') return content.problem;
  const picked = await pickItem(CHANGES, { title: 'Edit tensor' });
  return picked && askForChange(content.tensor, picked.type);
}
