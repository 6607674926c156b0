import { InputBoxValidationSeverity, type InputBoxValidationMessage, type QuickPickItem } from 'vscode';
import { DTYPES } from '../../../../core/catalog/dtypes.ts';
import { countElements, elementSize, type Tensor } from '../../../../tensor/tensor.ts';
import { countOf } from '../../../../core/text/count.ts';
import { showBytes } from '../../../../tensor/size-words.ts';
import { changeTensor, type Change } from './change-tensor.ts';
import { isSameForm, type TensorForm, type TensorSource } from './source.ts';
import { askText, pickItem } from '../../window/sinks/quick-input.ts';
import { askInDialog, showInStatusBar } from '../../window/messages.ts';

/** The message for a source that cannot be changed. */
export const READ_ONLY = 'This tensor cannot be changed here: it is part of a reply or of a file.';
const MOVED = 'The tensor changed its type or shape meanwhile. Look at it again.';

/**
 * Changes the tensor of a source in place, as one undoable edit. The user confirms a loss of data first.
 * Returns a sentence if nothing was written because of a problem. `shown` is the form of the tensor for which
 * the change was meant; a tensor of another form is not changed.
 */
export async function applyChange(
  source: TensorSource,
  change: Change,
  shown?: TensorForm,
): Promise<string | undefined> {
  if (!source.write) return READ_ONLY;
  const { content } = await source.read();
  if (content.kind === 'fault') return content.problem;
  if (shown && !isSameForm(shown, content.tensor)) return MOVED;
  const changed = changeTensor(content.tensor, change);
  if (changed.kind === 'fault') return changed.problem;
  // Only a cast asks for confirmation: its effect on values is not visible beforehand, whereas a slice names
  // what it keeps.
  if (
    change.type === 'cast' &&
    changed.loss !== undefined &&
    !(await confirmLoss(changed.loss, change.dtype))
  )
    return undefined;
  const problem = await source.write(content.tensor, changed.tensor);
  if (problem === undefined && changed.note !== undefined) showInStatusBar(changed.note, NOTE_MS);
  return problem;
}

const NOTE_MS = 8_000;

async function confirmLoss(loss: string, dtype: string): Promise<boolean> {
  const button = `Cast to ${dtype}`;
  return (await askInDialog(loss, undefined, button)) === button;
}

/** Asks for a change of a whole tensor, and validates it while it is typed. Returns undefined if the user cancels. */
export async function askForChange(
  tensor: Tensor,
  type: 'reshape' | 'cast' | 'slice',
): Promise<Change | undefined> {
  if (type === 'cast') return askForDtype(tensor);
  const make = (text: string): Change => (type === 'reshape' ? { type, shape: text } : { type, slice: text });
  const { title, prompt } = QUESTIONS[type];
  const text = await askText({
    title,
    prompt: `${prompt} The tensor has ${countOf(countElements(tensor.shape), 'element')}, its shape is ${showShape(tensor)}.`,
    value: type === 'reshape' ? tensor.shape.join(', ') : tensor.shape.map(() => ':').join(', '),
    validateInput: typed => checkChange(tensor, make(typed)),
  });
  return text === undefined ? undefined : make(text);
}

const QUESTIONS = {
  reshape: { title: 'Reshape tensor', prompt: 'The new shape; one size may be -1.' },
  slice: { title: 'Slice tensor', prompt: 'The part of each axis, such as 0:10, :, 3.' },
} as const;

/** The problem of a change, or its effect. */
function checkChange(tensor: Tensor, change: Change): string | InputBoxValidationMessage {
  const changed = changeTensor(tensor, change);
  if (changed.kind === 'fault') return changed.problem;
  return {
    message: `Gives ${showShape(changed.tensor)}. ${changed.loss ?? ''}`.trim(),
    severity: InputBoxValidationSeverity.Info,
  };
}

async function askForDtype(tensor: Tensor): Promise<Change | undefined> {
  const items: (QuickPickItem & { readonly dtype: string })[] = DTYPES.filter(
    ({ name }) => name !== tensor.dtype,
  ).map(({ name, summary }) => ({ label: name, description: summary, dtype: name }));
  const bytes = countElements(tensor.shape) * elementSize(tensor.dtype);
  const picked = await pickItem(items, {
    title: `Cast ${tensor.dtype} (${showBytes(bytes)}) to`,
    matchOnDescription: true,
  });
  return picked && { type: 'cast', dtype: picked.dtype };
}

function showShape({ shape }: Tensor): string {
  return shape.length === 0 ? 'a single value' : shape.join(' × ');
}
