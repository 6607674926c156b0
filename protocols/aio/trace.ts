import type { Message } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import { isTraceparent } from '../rpc/meta.ts';

/** The trace for the member `trace_id`; undefined for a W3C name, which AIO does not use. */
export function findTrace({ trace }: Message['fields']): Value | undefined {
  return isTraceparent(trace) ? undefined : trace;
}
