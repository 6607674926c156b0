import type { LinePosition } from '../text/line-index.ts';
import { isWireRange, type WireRange } from './conversion-requests.ts';
import { hasShape } from './guard.ts';

/** Client to server, a request: where the requests of a document begin that can be sent, in order. */
export const REQUESTS_IN = 'parley/requestsIn';

export interface RequestsInParams {
  readonly uri: string;
  /** Only those that it touches; all without it. */
  readonly range?: WireRange;
}

export function isRequestsInParams(value: unknown): value is RequestsInParams {
  return hasShape(value, { uri: 'string' }) && (value['range'] === undefined || isWireRange(value['range']));
}

/** Guards the answer: where each of them begins. */
export function isPositions(value: unknown): value is readonly LinePosition[] {
  return Array.isArray(value) && value.every(each => hasShape(each, { line: 'number', character: 'number' }));
}
