import { findPart, PARTS } from '../../core/catalog/parts.ts';
import {
  dictValue,
  findEntry,
  textIn,
  textValue,
  type DictValue,
  type Value,
} from '../../core/values/value.ts';
import { ENVELOPE } from '../message/envelope.ts';
import { compactJson } from '../../language/values/json-printer.ts';
import { readJsonValue } from '../../language/values/json-reader.ts';
import { dictOf } from '../conversation/verified.ts';
import { isWrapped, LINK, memberOf, type OpenPart, type Part, type PartCodec } from '../content/codec.ts';

/**
 * Parts as values of AIO, `{type, value}`: a text, base64, or a URL. Other data is a text of JSON. What else is known of a
 * part stands beside; the mark is the member `parley`.
 */
export const aioParts: PartCodec = { open, close, accepts, wrap, unwrap };

const URL_START = /^[a-z][a-z0-9+.-]*:/i;

function accepts(value: Value): boolean {
  const type = textIn(findEntry(value, 'type'));
  const row = findPart(type);
  return type !== undefined && (row?.aio === undefined || findEntry(value, 'value') !== undefined);
}

function open(own: DictValue): OpenPart | undefined {
  const mark = findEntry(own, ENVELOPE);
  const type = textIn(findEntry(own, 'type')) ?? '';
  const value = findEntry(own, 'value');
  if (!PARTS.some(({ aio }) => aio === type) || value?.kind !== 'text') return undefined;
  const more = own.entries.filter(({ key }) => key !== 'type' && key !== 'value' && key !== ENVELOPE);
  const isJson = textIn(findEntry(mark, 'type')) === 'data';
  const held = isJson ? readJsonValue(value.text) : value;
  const holds = type === 'text' ? 'text' : URL_START.test(value.text) ? 'url' : 'data';
  return held && { part: { type, holds, value: held, more }, mark };
}

function close(part: Part, mark: DictValue | undefined): Value | undefined {
  const { type, holds, value, more } = part;
  if (type === 'data')
    return dictOf({ type: textValue('text'), value: textValue(compactJson(value)), [ENVELOPE]: mark });
  const own = [
    { key: 'type', value: textValue(type === LINK ? linkType(part) : type) },
    { key: 'value', value },
  ];
  if (!mark) return dictValue([...own, ...(holds === 'uri' ? [] : more)]);
  return dictValue([...own, { key: ENVELOPE, value: mark }]);
}

/** A link is a picture where its media type says so. */
function linkType(part: Part): string {
  const media = textIn(memberOf(part, 'mimeType')) ?? '';
  return PARTS.find(row => row.media !== undefined && media.startsWith(row.media))?.name ?? 'file';
}

function wrap(value: Value, mark: DictValue): Value {
  return dictOf({ type: textValue('text'), value: textValue(compactJson(value)), [ENVELOPE]: mark });
}

function unwrap(own: DictValue): Value | undefined {
  const text = isWrapped(findEntry(own, ENVELOPE)) ? textIn(findEntry(own, 'value')) : undefined;
  return text === undefined ? undefined : readJsonValue(text);
}
