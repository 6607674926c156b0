import { findEntry, textIn, textValue, type DictValue, type Value } from '../../core/values/value.ts';
import { asText } from '../content/as-text.ts';
import { readTyped } from '../content/canonical.ts';
import type { Lose, PartCodec } from '../content/codec.ts';
import { dataUrl } from '../content/media.ts';
import type { Part } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import type { Members } from '../message/members.ts';

/**
 * Values of AIO, `{type, value}`: a text, base64, or a URL. A media type and a name have no place in the document; they
 * stand beside.
 */
export const aioParts: PartCodec = { protocol: 'aio', read, write };

/** Says that bytes stood there as a data URL, which names their media type. */
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
    if (about) lose('moved', `AIO has no place for the ${words} of a value; it stands beside`);
  if (type === 'data' || type === 'refusal' || holds === 'id')
    return typed('text', asText(part, 'AIO', lose));
  return dictOf({ ...entriesOf(type, value), mimeType, name });
}

function typed(type: string, value: Value): DictValue {
  return dictOf(entriesOf(type, value));
}

function entriesOf(type: string, value: Value): Readonly<Record<string, Value>> {
  return { type: textValue(type), value };
}

/** The text of a value `{type: "text", value}` that says nothing else; undefined for any other. */
export function findText(value: Value | undefined): Value | undefined {
  if (value?.kind !== 'dict' || value.entries.length !== 2) return undefined;
  const text = value.entries.find(({ key }) => key === 'value')?.value;
  const type = value.entries.find(({ key }) => key === 'type')?.value;
  return textIn(type) === 'text' && text?.kind === 'text' ? text : undefined;
}

/** A text as AIO writes values. */
export function textOutput(text: Value): Value {
  return typed('text', text);
}
