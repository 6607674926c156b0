import { InputBoxValidationSeverity, type InputBoxValidationMessage, type QuickPickItem } from 'vscode';
import { DTYPES } from '../../../core/catalog/dtypes.ts';
import { countElements, elementSize, type Tensor } from '../../../tensor/tensor.ts';
import { countOf } from '../../../core/text/count.ts';
import { showBytes } from '../../../tensor/size-words.ts';
import { changeTensor, type Change } from './change-tensor.ts';
import { isSameForm, type TensorForm, type TensorSource } from './source.ts';
import { askText, pickItem } from '../sinks/quick-input.ts';
import { askInDialog, showInStatusBar } from '../messages.ts';

/** What is said where a source takes no change. */
export const READ_ONLY = 'This tensor cannot be changed here: it is part of a reply or of a file.';
const MOVED = 'The tensor changed its type or shape meanwhile. Look at it again.';

/**
 * Changes the tensor of a source in its place, as one edit that can be undone; what a change loses is said first, and
 * the user decides. Answers a sentence where nothing was written, undefined where it was or the user let it be.
 * `shown` is the tensor that the change was meant for: another one of another form is left alone.
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
  // A slice is asked for by what it keeps; what a cast does to values is not seen beforehand.
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

/** Asks how to change a tensor as a whole; undefined where the user lets it be. What is typed is checked as it is typed. */
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
  slice: { title: 'Slice tensor', prompt: 'What to keep of each axis, such as 0:10, :, 3.' },
} as const;

/** What is wrong with a change, or what it does. */
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
