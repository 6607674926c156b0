import { asList, readFields } from '../../../core/text/fields.ts';
import { parseJson } from '../../../core/text/json.ts';
import type { Value } from '../../../core/values/value.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import type { CallerReply } from '../../serving/serving.ts';
import type { Json } from '../builder/events.ts';

/** A value as the JSON that the builder of responses takes; an integer that no double represents is rounded. */
export function toJson(value: Value, codec: ServerCodec, reply: Pick<CallerReply, 'note'>): Json {
  if (hasLongInteger(value)) reply.note('An integer beyond 2^53 is rounded for the caller');
  return asJson(parseJson(codec.print(value)));
}

function asJson(parsed: unknown): Json {
  switch (typeof parsed) {
    case 'string':
    case 'number':
    case 'boolean':
      return parsed;
    default:
      if (parsed === null || parsed === undefined) return null;
      if (Array.isArray(parsed)) return asList(parsed).map(asJson);
      return Object.fromEntries([...(readFields(parsed) ?? [])].map(([name, each]) => [name, asJson(each)]));
  }
}

function hasLongInteger(value: Value): boolean {
  switch (value.kind) {
    case 'int':
      return typeof value.int === 'bigint';
    case 'list':
      return value.items.some(hasLongInteger);
    case 'dict':
      return value.entries.some(entry => hasLongInteger(entry.value));
    default:
      return false;
  }
}
