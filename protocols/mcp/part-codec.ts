import { findPart } from '../../core/catalog/parts.ts';
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
import {
  isWrapped,
  LINK,
  mediaType,
  memberOf,
  openPart,
  type OpenPart,
  type Part,
  type PartCodec,
} from '../content/codec.ts';

/**
 * Parts as blocks of MCP. Texts, images and audio are blocks as they are; what is elsewhere is a link, other bytes are a
 * resource, other data is a text of JSON. The mark is `_meta.parley`; a block without it is left as it is.
 */
export const mcpParts: PartCodec = { open, close, accepts: isBlock, wrap, unwrap };

/** True for a content block: a dictionary that names its type, and has what a block of this type must have. */
export function isBlock(value: Value): boolean {
  const type = textIn(findEntry(value, 'type'));
  if (type === undefined) return false;
  const row = findPart(type);
  if (row && row.mcp === undefined) return false;
  return (REQUIRED_OF_BLOCK.get(type) ?? []).every(key => findEntry(value, key) !== undefined);
}

/** A block of a type that is not known may have anything. */
const REQUIRED_OF_BLOCK: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['text']],
  ['image', ['data', 'mimeType']],
  ['audio', ['data', 'mimeType']],
  ['resource', ['resource']],
  [LINK, ['uri']],
]);

function markOf(own: DictValue): Value | undefined {
  return findEntry(findEntry(own, '_meta'), ENVELOPE);
}

function open(own: DictValue): OpenPart | undefined {
  const mark = markOf(own);
  if (!mark) return openPlain(own);
  const type = textIn(findEntry(own, 'type')) ?? '';
  const named = textIn(findEntry(mark, 'type')) ?? type;
  const part = (holds: Part['holds'], value: Value | undefined): OpenPart | undefined =>
    value && { part: { type, holds, value, more: [] }, mark };
  if (type === LINK) return part('url', findEntry(own, 'uri'));
  if (type === 'resource') return part('data', findEntry(findEntry(own, 'resource'), 'blob'));
  if (type !== 'text') return part('data', findEntry(own, 'data'));
  const text = findEntry(own, 'text');
  return named === 'data' ? part('data', readJsonValue(textIn(text) ?? '')) : part('text', text);
}

function openPlain(own: DictValue): OpenPart | undefined {
  const part = isBlock(own) ? openPart(own) : undefined;
  return part && { part, mark: undefined };
}

function close(part: Part, mark: DictValue | undefined): Value | undefined {
  const { type, holds, value, more } = part;
  const _meta = mark && dictOf({ [ENVELOPE]: mark });
  const plain = dictValue([{ key: 'type', value: textValue(type) }, { key: holds, value }, ...more]);
  if (!mark && isBlock(plain)) return plain;
  if (holds === 'text') return dictOf({ type: textValue(type), text: value, _meta });
  if (type === 'data') return dictOf({ type: textValue('text'), text: textValue(compactJson(value)), _meta });
  const name = memberOf(part, 'name') ?? textValue(lastStep(textIn(value) ?? ''));
  if (holds === 'url' || holds === 'uri')
    return dictOf({ type: textValue(LINK), uri: value, name, mimeType: memberOf(part, 'mimeType'), _meta });
  if (findPart(type)?.mcp)
    return dictOf({ type: textValue(type), data: value, mimeType: mediaType(part), _meta });
  const uri = textValue(`file:///${encodeURI(textIn(memberOf(part, 'name')) ?? type)}`);
  const resource = dictOf({ uri, mimeType: mediaType(part), blob: value });
  return dictOf({ type: textValue('resource'), resource, _meta });
}

/** The last step of an address, which is what a link is called where nobody says. */
function lastStep(address: string): string {
  const path = /^[^?#]*/.exec(address)?.[0] ?? '';
  return path.split('/').findLast(step => step !== '') ?? address;
}

function wrap(value: Value, mark: DictValue): Value {
  const _meta = dictOf({ [ENVELOPE]: mark });
  return dictOf({ type: textValue('text'), text: textValue(compactJson(value)), _meta });
}

function unwrap(own: DictValue): Value | undefined {
  const text = isWrapped(markOf(own)) ? textIn(findEntry(own, 'text')) : undefined;
  return text === undefined ? undefined : readJsonValue(text);
}
