import { findDtype, type DtypeName } from '../core/catalog/dtypes.ts';
import type { AxisRange } from '../tensor/slice.ts';
import type { Tensor } from '../tensor/tensor.ts';
import {
  isBoolean,
  isListOf,
  isMessage,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
  type Guard,
} from '../core/guard.ts';

/** What an inspector looks at, in words. */
export interface Subject {
  /** The same for as long as it is the same tensor: the page then keeps its place. */
  readonly id: string;
  /** The tensor's name: its path in the message or its name in the file. */
  readonly name: string;
  /** Where it comes from: `hello.aicl, message 3 (result)`. */
  readonly place: string;
  /** True where changes can be written back. */
  readonly canEdit: boolean;
}

/** A tensor of a file that holds several. */
export interface Member {
  readonly name: string;
  /** As text: `float32`; a type that we do not know is named as the file names it. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Why it cannot be shown; absent for one that can. */
  readonly problem?: string;
}

/** To the page: a tensor to show, whole. It comes again with the same id when the tensor changed. */
export interface ShowTensor {
  readonly type: 'show';
  readonly subject: Subject;
  readonly tensor: Tensor;
}

/** To the page: what cannot be shown now, and why. What was shown of the same subject stays, marked as old. */
export interface ShowProblem {
  readonly type: 'problem';
  readonly subject: Subject;
  readonly problem: string;
}

/** To the page: the tensors of the file, and which of them is shown. Comes before `show`. */
export interface ShowMembers {
  readonly type: 'members';
  readonly members: readonly Member[];
  readonly shown: string;
}

/** To the page: the tensor that the one shown is compared with; it comes again when that one changed. */
export interface ShowOther {
  readonly type: 'other';
  readonly subject: Subject;
  readonly tensor: Tensor;
}

/** To the page: the comparison ended, or the other tensor cannot be read: then a sentence says why. */
export interface HideOther {
  readonly type: 'hideOther';
  readonly problem?: string;
}

/** To the page: a change of one value was refused. */
export interface RefuseValue {
  readonly type: 'refuse';
  readonly index: number;
  readonly problem: string;
}

export type ToInspector = ShowTensor | ShowProblem | ShowMembers | ShowOther | HideOther | RefuseValue;

/** From the page. `export`, `edit`, `compare` and `insert` lead to questions that the extension asks natively. */
export type FromInspector =
  | { readonly type: 'ready' }
  /** Show another tensor of the file. */
  | { readonly type: 'pick'; readonly member: string }
  /** Save the tensor, or a part of it, in a file; the extension asks for the format and the place. */
  | { readonly type: 'export'; readonly part?: readonly AxisRange[] }
  /** Put a text on the clipboard. */
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'compare' }
  | { readonly type: 'endCompare' }
  /** Write a value in the place of one element, by its index in row-major order. */
  | { readonly type: 'setValue'; readonly index: number; readonly value: string }
  /** Change the whole; the extension asks how, and says what a cast loses first. */
  | { readonly type: 'edit'; readonly change: 'reshape' | 'cast' | 'slice' }
  /** Show where the tensor stands in its document. */
  | { readonly type: 'reveal' };

const isSize: Guard<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isInteger: Guard<number> = (value): value is number => Number.isSafeInteger(value);
const isSubject = isShape<Subject>({ id: isString, name: isString, place: isString, canEdit: isBoolean });
const isTensor = isShape<Tensor>({
  dtype: (value): value is DtypeName => typeof value === 'string' && findDtype(value) !== undefined,
  shape: isListOf(isSize),
  bytes: (value): value is Uint8Array => value instanceof Uint8Array,
});
const isMember = isShape<Member>({
  name: isString,
  dtype: isString,
  shape: isListOf(isSize),
  problem: isOptional(isString),
});
const isAxisRange = isShape<AxisRange>({
  start: isInteger,
  end: isInteger,
  step: (value): value is number => isInteger(value) && value >= 1,
  isIndex: isOptional(isOneOf([true] as const)),
});

/** Guards what arrives in the page. */
export const isToInspector = isMessage<ToInspector>({
  show: { subject: isSubject, tensor: isTensor },
  other: { subject: isSubject, tensor: isTensor },
  problem: { subject: isSubject, problem: isString },
  members: { members: isListOf(isMember), shown: isString },
  hideOther: { problem: isOptional(isString) },
  refuse: { index: isNumber, problem: isString },
});

/** Guards what arrives from the page. */
export const isFromInspector = isMessage<FromInspector>({
  ready: {},
  compare: {},
  endCompare: {},
  reveal: {},
  pick: { member: isString },
  export: { part: isOptional(isListOf(isAxisRange)) },
  copy: { text: isString },
  setValue: { index: isNumber, value: isString },
  edit: { change: isOneOf(['reshape', 'cast', 'slice'] as const) },
});
