import type { LinePosition } from '../core/text/source-text.ts';
import { isOptional, isShape, isString, type Guarded } from '../core/guard.ts';
import { isWireRange } from './places.ts';
import type { WireRequest } from './request.ts';

const isRequestsInParams = isShape({ uri: isString, range: isOptional(isWireRange) });

/** The start positions, in order, of the requests in a document that can be sent: those that a range touches, or all. */
export const REQUESTS_IN: WireRequest<Guarded<typeof isRequestsInParams>, readonly LinePosition[]> = {
  method: 'parley/requestsIn',
  isParams: isRequestsInParams,
};
