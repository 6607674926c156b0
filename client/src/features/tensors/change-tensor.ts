import { findDtype } from '../../../../core/catalog/dtypes.ts';
import { castTensor, describeLoss } from '../../../../tensor/cast.ts';
import { parseElement } from '../../../../tensor/parse-element.ts';
import { parseShapeInput, reshapeTensor } from '../../../../tensor/reshape.ts';
import { parseSlice, sliceTensor } from '../../../../tensor/slice.ts';
import {
  countElements,
  elementSize,
  placeOf,
  type Tensor,
  type TensorResult,
} from '../../../../tensor/tensor.ts';
import { countOf, showCount } from '../../../../core/text/count.ts';
import { quote } from '../../../../core/text/quote.ts';
import { isMessage, isNumber, isString, type Guard } from '../../../../core/guard.ts';

/** A change of a tensor, as the user types it. */
export type Change =
  /** Changes one element, by its index in row-major order. */
  | { readonly type: 'setValue'; readonly index: number; readonly value: string }
  | { readonly type: 'reshape'; readonly shape: string }
  | { readonly type: 'cast'; readonly dtype: string }
  | { readonly type: 'slice'; readonly slice: string };

export type ChangedTensor =
  | {
      readonly kind: 'ok';
      readonly tensor: Tensor;
      /** A sentence about lost data of the old tensor. */
      readonly loss?: string;
      /** A sentence about the stored value, if it differs from the typed one. */
      readonly note?: string;
    }
  | { readonly kind: 'fault'; readonly problem: string };

/** Applies a change to a tensor. Returns the new tensor, or the reason why there is none. */
export function changeTensor(tensor: Tensor, change: Change): ChangedTensor {
  switch (change.type) {
    case 'setValue':
      return setValue(tensor, change.index, change.value);
    case 'reshape':
      return reshape(tensor, change.shape);
    case 'cast':
      return cast(tensor, change.dtype);
    case 'slice':
      return slice(tensor, change.slice);
  }
}

/** Validates a change from outside, such as an argument of a command. */
export const isChange: Guard<Change> = isMessage({
  setValue: { index: isNumber, value: isString },
  reshape: { shape: isString },
  cast: { dtype: isString },
  slice: { slice: isString },
});

function setValue(tensor: Tensor, index: number, value: string): ChangedTensor {
  const count = countElements(tensor.shape);
  if (!Number.isInteger(index) || index < 0 || index >= count)
    return fault(`There is no element ${index}: the tensor has ${countOf(count, 'element')}`);
  const parsed = parseElement(tensor.dtype, value);
  if (parsed.kind === 'fault') return parsed;
  const bytes = new Uint8Array(tensor.bytes);
  bytes.set(parsed.bytes, index * elementSize(tensor.dtype));
  const place = `[${placeOf(tensor.shape, index).join(', ')}]`;
  return {
    kind: 'ok',
    tensor: { ...tensor, bytes },
    ...(!parsed.isExact && {
      note: `${place} is ${parsed.shown}: ${tensor.dtype} has nothing nearer to ${value.trim()}.`,
    }),
  };
}

function reshape(tensor: Tensor, text: string): TensorResult {
  const parsed = parseShapeInput(text);
  return parsed.kind === 'ok' ? reshapeTensor(tensor, parsed.shape) : parsed;
}

function cast(tensor: Tensor, name: string): ChangedTensor {
  const dtype = findDtype(name)?.name;
  if (!dtype) return fault(`${quote(name)} is not a data type of a tensor`);
  const made = castTensor(tensor, dtype);
  const loss = describeLoss(made.loss);
  return { kind: 'ok', tensor: made.tensor, ...(loss !== undefined && { loss: `${loss}.` }) };
}

function slice(tensor: Tensor, text: string): ChangedTensor {
  const parsed = parseSlice(text, tensor.shape);
  if (parsed.kind === 'fault') return parsed;
  const made = sliceTensor(tensor, parsed.ranges);
  if (made.kind === 'fault') return made;
  const [stored, had] = [countElements(made.tensor.shape), countElements(tensor.shape)];
  const loss = `${countOf(stored, 'element')} of ${showCount(had)} stay, the others are left out.`;
  return stored === had ? made : { ...made, loss };
}

function fault(problem: string): ChangedTensor {
  return { kind: 'fault', problem };
}
