import {
  dictValue,
  intValue,
  NULL,
  textValue,
  type DictValue,
  type Entry,
  type Value,
} from '../../core/values/value.ts';
import { Members } from '../message/members.ts';
import { dictOf, nullEntries } from '../message/dicts.ts';

/** Members of a response with these values are omitted when it is read. No clock is read, so the time is 0. */
export const RESPONSE_DEFAULTS: readonly Entry[] = [
  { key: 'object', value: textValue('response') },
  ...nullEntries('sequence_number', 'error', 'completed_at', 'output', 'usage', 'session_id'),
  { key: 'created_at', value: intValue(0) },
];

/** A response with all members, as the runtime writes it; null for those without a value. */
export function responseFrame(status: string, more: Readonly<Record<string, Value | undefined>>): DictValue {
  const frame = new Members(
    dictOf({
      object: textValue('response'),
      status: textValue(status),
      error: NULL,
      id: textValue('response_1'),
      created_at: intValue(0),
      completed_at: NULL,
      output: NULL,
      usage: NULL,
      session_id: NULL,
    }),
  );
  for (const [key, value] of Object.entries(more)) frame.put(key, value);
  return dictValue(frame.entries());
}
