import type { LinePosition } from '../core/text/source-text.ts';
import { isBoolean, isListOf, isNumber, isShape, isString } from '../core/guard.ts';
import { isLinePosition, isWireRange, type WireRange } from './places.ts';

/** Client to server, a request: the tensor at a position. The result is a `TensorAnswer` or null. */
export const TENSOR_AT = 'parley/tensorAt';

export interface TensorAtParams {
  readonly uri: string;
  readonly position: LinePosition;
}

/** Client to server, a request: the first thousand tensors of a document. The result is a list of `TensorAnswer`. */
export const TENSORS = 'parley/tensors';

export interface TensorsParams {
  readonly uri: string;
}

/** The location of a tensor in a document. The client reads its text from the document. */
export interface TensorAnswer {
  /** The version of the document that the positions refer to. */
  readonly version: number;
  /** The range of the complete value, `[t:…]`. */
  readonly range: WireRange;
  readonly payload: WireRange;
  /** As written in the document. */
  readonly dtype: string;
  readonly shape: string;
  readonly path: string;
  /** The number of the message, from 1. */
  readonly message: number;
  readonly title: string;
  /** True if the message is signed: a change of the tensor would invalidate the signature. */
  readonly isSigned: boolean;
  /**
   * The problems of the tensor: the messages of errors in it,
   * and whether its data are omitted. Empty for a valid tensor.
   */
  readonly faults: readonly string[];
}

/** The command of Inspect lenses. Its arguments are the document's URI and the tensor's position. */
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
