import { isListOf, isOptional, isShape, isString } from '../core/guard.ts';
import { isLinePosition, isWireRange, type WireRange } from './places.ts';

/** Client to server, a request: where the requests of a document begin that can be sent, in order. */
export const REQUESTS_IN = 'parley/requestsIn';

export interface RequestsInParams {
  readonly uri: string;
  /** Only those that it touches; all without it. */
  readonly range?: WireRange;
}

export const isRequestsInParams = isShape<RequestsInParams>({
  uri: isString,
  range: isOptional(isWireRange),
});

/** Guards the answer: where each of them begins. */
export const isPositions = isListOf(isLinePosition);
