import { findDtype, type DtypeName } from '../catalog/dtypes.ts';
import type { AxisRange } from '../tensor/slice.ts';
import type { Tensor } from '../tensor/tensor.ts';
import { hasShape, isRecord } from './guard.ts';

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

/** Guards what arrives in the page. */
export function isToInspector(value: unknown): value is ToInspector {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'show':
    case 'other':
      return isSubject(value['subject']) && isTensor(value['tensor']);
    case 'problem':
      return isSubject(value['subject']) && hasShape(value, { problem: 'string' });
    case 'members':
      return hasShape(value, { shown: 'string' }) && isListOf(value['members'], isMember);
    case 'hideOther':
      return ['string', 'undefined'].includes(typeof value['problem']);
    case 'refuse':
      return hasShape(value, { index: 'number', problem: 'string' });
    default:
      return false;
  }
}

/** Guards what arrives from the page. */
export function isFromInspector(value: unknown): value is FromInspector {
  if (!isRecord(value)) return false;
  switch (value['type']) {
    case 'ready':
    case 'compare':
    case 'endCompare':
    case 'reveal':
      return true;
    case 'pick':
      return hasShape(value, { member: 'string' });
    case 'export':
      return value['part'] === undefined || isListOf(value['part'], isAxisRange);
    case 'copy':
      return hasShape(value, { text: 'string' });
    case 'setValue':
      return hasShape(value, { index: 'number', value: 'string' });
    case 'edit':
      return ['reshape', 'cast', 'slice'].some(change => change === value['change']);
    default:
      return false;
  }
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isSubject(value: unknown): value is Subject {
  return hasShape(value, { id: 'string', name: 'string', place: 'string', canEdit: 'boolean' });
}

function isMember(value: unknown): value is Member {
  return hasShape(value, { name: 'string', dtype: 'string' }) && isShape(value['shape']);
}

function isTensor(value: unknown): value is Tensor {
  return (
    hasShape(value, { dtype: 'string' }) &&
    isDtype(value['dtype']) &&
    isShape(value['shape']) &&
    value['bytes'] instanceof Uint8Array
  );
}

function isDtype(value: unknown): value is DtypeName {
  return typeof value === 'string' && findDtype(value) !== undefined;
}

function isShape(value: unknown): boolean {
  return isListOf(value, size => Number.isSafeInteger(size) && Number(size) >= 0);
}

function isAxisRange(value: unknown): value is AxisRange {
  return (
    hasShape(value, { start: 'number', end: 'number', step: 'number' }) &&
    ['start', 'end', 'step'].every(key => Number.isSafeInteger(value[key])) &&
    Number(value['step']) >= 1
  );
}
