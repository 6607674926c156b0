import type { Message } from '../../core/message/message.ts';
import type { Value } from '../../core/values/value.ts';
import { isTraceparent } from '../rpc/meta.ts';

/** The trace for the member `trace_id`; undefined for a name in the W3C form, which is none of AIO. */
export function findTrace({ trace }: Message['fields']): Value | undefined {
  return isTraceparent(trace) ? undefined : trace;
}
