import { asList, readFields } from '../../../core/text/fields.ts';
import type { Value } from '../../../core/values/value.ts';
import type { ServerCodec } from '../../serving/codec.ts';
import type { Json } from '../builder/events.ts';

declare global {
  interface JSON {
    parse(
      text: string,
      revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    /** A value that `JSON.stringify` prints as this text. */
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** A number as it was written. */
type RawNumber = { readonly rawJSON: string };

/** A value as the JSON that the builder of responses takes, with numbers as they were written. */
export function toJson(value: Value, codec: ServerCodec): Json {
  return asJson(JSON.parse(codec.print(value), keepNumber));
}

function keepNumber(_key: string, read: unknown, { source }: { readonly source?: string }): unknown {
  const isChanged = typeof read === 'number' && source !== undefined && String(read) !== source;
  return isChanged ? JSON.rawJSON(source) : read;
}

function asJson(parsed: unknown): Json {
  switch (typeof parsed) {
    case 'string':
    case 'number':
    case 'boolean':
      return parsed;
    default:
      if (parsed === null || parsed === undefined) return null;
      if (JSON.isRawJSON(parsed)) return parsed;
      if (Array.isArray(parsed)) return asList(parsed).map(asJson);
      return Object.fromEntries([...(readFields(parsed) ?? [])].map(([name, each]) => [name, asJson(each)]));
  }
}
