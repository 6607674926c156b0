import type { LinePosition } from '../core/text/line-index.ts';
import { isBoolean, isListOf, isNumber, isShape, isString } from '../core/guard.ts';
import { isLinePosition, isWireRange, type WireRange } from './places.ts';

/** Client to server, a request: the tensor that a place of a document touches. The answer is a `TensorAnswer` or null. */
export const TENSOR_AT = 'parley/tensorAt';

export interface TensorAtParams {
  readonly uri: string;
  readonly position: LinePosition;
}

/** Client to server, a request: the tensors of a document, the first thousand. The answer is a list of `TensorAnswer`. */
export const TENSORS = 'parley/tensors';

export interface TensorsParams {
  readonly uri: string;
}

/** A tensor of a document: where it stands, not what it holds. The client reads its text from the document itself. */
export interface TensorAnswer {
  /** The version of the document that the positions mean. */
  readonly version: number;
  /** The whole value: `[t:…]`. */
  readonly range: WireRange;
  readonly payload: WireRange;
  /** As they are written. */
  readonly dtype: string;
  readonly shape: string;
  readonly path: string;
  /** The message, from 1. */
  readonly message: number;
  readonly title: string;
  /** True where the message is signed: its signature does not fit a changed tensor. */
  readonly isSigned: boolean;
  /** What is wrong with it: the messages of the errors in it, and that its data are left out. Empty for a sound tensor. */
  readonly faults: readonly string[];
}

/** The command behind an Inspect lens; its arguments are the document's URI and the tensor's position. */
export const INSPECT_COMMAND = 'parley.inspectTensor';

export const isTensorAtParams = isShape<TensorAtParams>({ uri: isString, position: isLinePosition });

export const isTensorsParams = isShape<TensorsParams>({ uri: isString });

export const isTensorAnswer = isShape<TensorAnswer>({
  version: isNumber,
  range: isWireRange,
  payload: isWireRange,
  dtype: isString,
  shape: isString,
  path: isString,
  message: isNumber,
  title: isString,
  isSigned: isBoolean,
  faults: isListOf(isString),
});
