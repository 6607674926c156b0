import { findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { asText } from '../content/as-text.ts';
import { readTyped } from '../content/canonical.ts';
import type { Lose, PartCodec } from '../content/codec.ts';
import { dataUrl } from '../content/media.ts';
import type { Part } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import type { Members } from '../message/members.ts';

/**
 * Values of AIO, `{type, value}`: a text, base64, or a URL. The specification has no member for a media type
 * or a name; they are written as extra members.
 */
export const aioParts: PartCodec = { protocol: 'aio', read, write };

/** Marks bytes that came as a data URL, which has their media type. */
const FORM = '$form';
const AS_URL = textValue('url');

function read(own: Members): Part | undefined {
  const isUrl = textIn(own.peek('value'))?.startsWith('data:') === true;
  const part = readTyped(own);
  if (part?.holds === 'data' && isUrl) own.put(FORM, AS_URL);
  return part;
}

function write(part: Part, lose: Lose): Value {
  const { type, holds, value, mimeType, name } = part;
  if (textIn(findEntry(findEntry(part.rest, 'aio'), FORM)) === AS_URL.text)
    return dictOf({ ...entriesOf(type, dataUrl(part, lose)), name });
  for (const [about, words] of [
    [mimeType, 'media type'],
    [name, 'name'],
  ] as const)
    if (about) lose('moved', `AIO has no place for the ${words} of a value; it is written beside`);
  if (type === 'data' || type === 'refusal' || holds === 'id') return textOutput(asText(part, 'AIO', lose));
  return dictOf({ ...entriesOf(type, value), mimeType, name });
}

function entriesOf(type: string, value: Value): Readonly<Record<string, Value>> {
  return { type: textValue(type), value };
}

/** Writes a text as an AIO value. */
export function textOutput(text: Value): Value {
  return dictOf(entriesOf('text', text));
}
