import type { LinePosition } from '../text/line-index.ts';
import { hasShape, isRecord } from './guard.ts';

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

/** From its first position up to its last. */
export interface LineRange {
  readonly start: LinePosition;
  readonly end: LinePosition;
}

/** A tensor of a document: where it stands, not what it holds. The client reads its text from the document itself. */
export interface TensorAnswer {
  /** The version of the document that the positions mean. */
  readonly version: number;
  /** The whole value: `[t:…]`. */
  readonly range: LineRange;
  readonly payload: LineRange;
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

export function isTensorAtParams(value: unknown): value is TensorAtParams {
  return hasShape(value, { uri: 'string', position: 'object' }) && isPosition(value['position']);
}

export function isTensorsParams(value: unknown): value is TensorsParams {
  return hasShape(value, { uri: 'string' });
}

export function isTensorAnswer(value: unknown): value is TensorAnswer {
  return (
    hasShape(value, {
      version: 'number',
      dtype: 'string',
      shape: 'string',
      path: 'string',
      message: 'number',
      title: 'string',
      isSigned: 'boolean',
    }) &&
    isRange(value['range']) &&
    isRange(value['payload']) &&
    Array.isArray(value['faults']) &&
    value['faults'].every(fault => typeof fault === 'string')
  );
}

function isRange(value: unknown): value is LineRange {
  return isRecord(value) && isPosition(value['start']) && isPosition(value['end']);
}

function isPosition(value: unknown): value is LinePosition {
  return hasShape(value, { line: 'number', character: 'number' });
}
