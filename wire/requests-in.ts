import { isListOf, isOptional, isShape, isString } from '../core/guard.ts';
import { isLinePosition, isWireRange, type WireRange } from './places.ts';

/** Client to server, a request: the start positions, in order, of the requests in a document that can be sent. */
export const REQUESTS_IN = 'parley/requestsIn';

export interface RequestsInParams {
  readonly uri: string;
  /** If present, only requests that it touches are listed. */
  readonly range?: WireRange;
}

export const isRequestsInParams = isShape<RequestsInParams>({
  uri: isString,
  range: isOptional(isWireRange),
});

/** Guards the result: the start of each request. */
export const isPositions = isListOf(isLinePosition);
