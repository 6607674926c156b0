import type { LinePosition } from '../core/text/source-text.ts';
import { isOptional, isShape, isString } from '../core/guard.ts';
import { isWireRange, type WireRange } from './places.ts';
import type { WireRequest } from './request.ts';

interface RequestsInParams {
  readonly uri: string;
  /** If present, only requests that it touches are listed. */
  readonly range?: WireRange;
}

/** The start positions, in order, of the requests in a document that can be sent. */
export const REQUESTS_IN: WireRequest<RequestsInParams, readonly LinePosition[]> = {
  method: 'parley/requestsIn',
  isParams: isShape<RequestsInParams>({ uri: isString, range: isOptional(isWireRange) }),
};
