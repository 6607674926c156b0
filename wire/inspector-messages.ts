import type { AxisRange } from '../tensor/slice.ts';
import type { Tensor } from '../tensor/tensor.ts';
import {
  isListOf,
  isMessage,
  isNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
  type Guard,
  type Guarded,
} from '../core/guard.ts';

/** A description of what an inspector shows. */
export interface Subject {
  /** Constant for the same tensor, so that the page can preserve its position. */
  readonly id: string;
  /** The tensor's name: its path in the message or its name in the file. */
  readonly name: string;
  /** The origin: `hello.aicl, message 3 (result)`. */
  readonly place: string;
  /** True if changes can be written back. */
  readonly canEdit: boolean;
}

/** A tensor in a file that contains several. */
export interface Member {
  readonly name: string;
  /** Our name for the data type, such as `float32`, or the file's own name if the type is unknown. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Why the tensor cannot be shown; absent if it can. */
  readonly problem?: string;
}

/** To the page: a complete tensor. It is sent again with the same id when the tensor has changed. */
export interface ShowTensor {
  readonly type: 'show';
  readonly subject: Subject;
  readonly tensor: Tensor;
}

/**
 * To the page: why the tensor cannot be shown. What is already
 * shown of the same subject remains, marked as outdated.
 */
export interface ShowProblem {
  readonly type: 'problem';
  readonly subject: Subject;
  readonly problem: string;
}

/** To the page: the tensors of the file and the name of the one that is shown. Sent before `show`. */
export interface ShowMembers {
  readonly type: 'members';
  readonly members: readonly Member[];
  readonly shown: string;
}

/** To the page: the tensor to compare with; it is sent again when it has changed. */
export interface ShowOther {
  readonly type: 'other';
  readonly subject: Subject;
  readonly tensor: Tensor;
}

/** To the page: the comparison has ended, or the other tensor cannot be read, explained by a sentence. */
export interface HideOther {
  readonly type: 'hideOther';
  readonly problem?: string;
}

/** To the page: the change of a value was rejected. */
export interface RefuseValue {
  readonly type: 'refuse';
  readonly index: number;
  readonly problem: string;
}

export type ToInspector = ShowTensor | ShowProblem | ShowMembers | ShowOther | HideOther | RefuseValue;

const isInteger: Guard<number> = (value): value is number => Number.isSafeInteger(value);
const isAxisRange: Guard<AxisRange> = isShape({
  start: isInteger,
  end: isInteger,
  step: (value: unknown): value is number => isInteger(value) && value >= 1,
  isIndex: isOptional(isOneOf([true] as const)),
});

/** Guards messages from the page. For `export`, `edit` and `compare` the extension then prompts the user. */
export const isFromInspector = isMessage({
  ready: {},
  compare: {},
  endCompare: {},
  /** Show the tensor in its document. */
  reveal: {},
  /** Show another tensor of the file. */
  pick: { member: isString },
  /** Save the tensor or a part of it to a file; the extension prompts for the format and the path. */
  export: { part: isOptional(isListOf(isAxisRange)) },
  copy: { text: isString },
  /** Replace one element, given by its row-major index. */
  setValue: { index: isNumber, value: isString },
  /** Change the whole tensor; the extension prompts for details and first reports the losses of a cast. */
  edit: { change: isOneOf(['reshape', 'cast', 'slice'] as const) },
});

export type FromInspector = Guarded<typeof isFromInspector>;
