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
    /** A value that `JSON.stringify` prints as this text; undefined before Node 21. */
    readonly rawJSON?: (text: string) => RawNumber;
    readonly isRawJSON?: (value: unknown) => value is RawNumber;
  }
}

/** A number as it was written. */
type RawNumber = { readonly rawJSON: string };

const ROUNDED = 'This version of Node rounds numbers with more than 15 digits: use Node 22 or newer';

/**
 * A value as the JSON that the builder of responses takes, with numbers as they were written. Where Node cannot print
 * them so, `note` reports it.
 */
export function toJson(value: Value, codec: ServerCodec, note: (text: string) => void): Json {
  const text = codec.print(value);
  const { rawJSON } = JSON;
  if (rawJSON)
    return asJson(
      JSON.parse(text, (_key, read, { source }) =>
        typeof read === 'number' && source !== undefined && String(read) !== source ? rawJSON(source) : read,
      ),
    );
  const read = asJson(JSON.parse(text));
  if (JSON.stringify(read) !== text) note(ROUNDED);
  return read;
}

function asJson(parsed: unknown): Json {
  switch (typeof parsed) {
    case 'string':
    case 'number':
    case 'boolean':
      return parsed;
    default:
      if (parsed === null || parsed === undefined) return null;
      if (JSON.isRawJSON?.(parsed)) return parsed;
      if (Array.isArray(parsed)) return asList(parsed).map(asJson);
      return Object.fromEntries([...(readFields(parsed) ?? [])].map(([name, each]) => [name, asJson(each)]));
  }
}
