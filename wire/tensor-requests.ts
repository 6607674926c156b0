import { isShape, isString } from '../core/guard.ts';
import type { WireRange } from './places.ts';
import { isDocumentPlace, type DocumentPlace, type WireRequest } from './request.ts';

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

/** The tensor at a position; null if there is none. */
export const TENSOR_AT: WireRequest<DocumentPlace, TensorAnswer | null> = {
  method: 'parley/tensorAt',
  isParams: isDocumentPlace,
};

/** The first thousand tensors of a document. */
export const TENSORS: WireRequest<{ readonly uri: string }, readonly TensorAnswer[]> = {
  method: 'parley/tensors',
  isParams: isShape({ uri: isString }),
};

/** The command of Inspect lenses. Its arguments are the document's URI and the tensor's position. */
export const INSPECT_COMMAND = 'parley.inspectTensor';
