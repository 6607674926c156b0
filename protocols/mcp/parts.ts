import { dictValue, findEntry, textIn, textValue, type Value } from '../../core/values/value.ts';
import { asText } from '../content/as-text.ts';
import type { Lose, PartCodec } from '../content/codec.ts';
import { isBase64, kindOfMedia, mediaOf } from '../content/media.ts';
import { textPart, type Part } from '../content/part.ts';
import { dictOf } from '../message/dicts.ts';
import { Members } from '../message/members.ts';

/**
 * The blocks of a result. MCP has texts, images and audio; other bytes are an embedded resource, and a URL is
 * a resource link.
 */
export const mcpParts: PartCodec = { protocol: 'mcp', read, write };

/** The blocks of a message to a model: only texts, images and audio. */
export const samplingParts: PartCodec = {
  protocol: 'mcp',
  read,
  write: (part, lose) => {
    const isBytes = part.holds === 'data' && (part.type === 'image' || part.type === 'audio') && !part.uri;
    return isBytes && isBase64(part.value)
      ? write(part, lose)
      : textBlock(asText(part, 'A message to a model in MCP', lose));
  },
};

function read(own: Members): Part | undefined {
  const type = textIn(own.peek('type'));
  switch (type) {
    case 'text': {
      const text = takeWith(own, 'text');
      return text && textPart(text);
    }
    case 'image':
    case 'audio': {
      const mimeType = own.peek('mimeType');
      const data = mimeType?.kind === 'text' ? takeWith(own, 'data') : undefined;
      return data && { type, holds: 'data', value: data, mimeType: own.take('mimeType') };
    }
    case 'resource_link': {
      const url = takeWith(own, 'uri');
      if (!url) return undefined;
      if (textIn(own.peek('name')) === textIn(url)) own.take('name');
      const about = { mimeType: own.takeKind('mimeType', 'text'), name: own.takeKind('name', 'text') };
      return { type: kindOfMedia(about.mimeType), holds: 'url', value: url, ...about };
    }
    case 'resource':
      return readResource(own);
    default:
      return undefined;
  }
}

/** Takes a member that is a text, and the type with it. */
function takeWith(own: Members, key: string): Value | undefined {
  const value = own.takeKind(key, 'text');
  if (value) own.take('type');
  return value;
}

function readResource(own: Members): Part | undefined {
  const resource = new Members(own.peek('resource'));
  const uri = resource.takeKind('uri', 'text');
  const mimeType = resource.takeKind('mimeType', 'text');
  const text = resource.takeKind('text', 'text');
  const blob = text ? undefined : resource.takeKind('blob', 'text');
  if (!uri || !(text ?? blob)) return undefined;
  own.take('type');
  own.take('resource');
  own.put('resource', resource.left());
  const type = text ? 'text' : kindOfMedia(mimeType);
  const part = text ? textPart(text) : ({ type, holds: 'data', value: blob ?? uri } as const);
  return { ...part, mimeType, ...readUri(uri.text, type) };
}

/** The URI prefix of files that have a name and no URL. */
const FILE = 'file:///';

/** The URI of a resource without a name, made from its type. */
function noName(type: Part['type']): string {
  return FILE + type;
}

/**
 * Reads a URI as a name where possible. An image or audio resource keeps the URI, because image blocks have
 * no name.
 */
function readUri(uri: string, type: Part['type']): Pick<Part, 'name' | 'uri'> {
  if (uri === noName(type) && !isOwnKind(type)) return {};
  const name = uri.startsWith(FILE) ? decodeName(uri.slice(FILE.length)) : undefined;
  return name === undefined || isOwnKind(type) ? { uri: textValue(uri) } : { name: textValue(name) };
}

/** The name in such a URI; undefined unless it is encoded as we encode it. */
function decodeName(written: string): string | undefined {
  try {
    const name = decodeURIComponent(written);
    return name !== '' && encodeName(name) === written ? name : undefined;
  } catch {
    return undefined;
  }
}

function encodeName(name: string): string {
  return encodeURIComponent(name.replace(LONE_SURROGATES, '\ufffd'));
}

const LONE_SURROGATES = /\p{Surrogate}/gu;

function isOwnKind(type: Part['type']): boolean {
  return type === 'image' || type === 'audio';
}

function write(part: Part, lose: Lose): Value {
  const { type, holds, value, mimeType, name } = part;
  if (type === 'text') return isText(part) ? textBlock(value) : writeResource(part, { text: value });
  if (holds === 'url') {
    if (type !== 'file') lose('moved', `MCP has no ${type} that is elsewhere; it is written as a link`);
    return dictOf({ type: textValue('resource_link'), uri: value, name: name ?? value, mimeType });
  }
  if (holds !== 'data' || type === 'data' || type === 'refusal') return textBlock(asText(part, 'MCP', lose));
  if (!isBase64(value)) return textBlock(asText(part, 'MCP', lose, `${type} that is not base64`));
  if (isOwnKind(type) && !part.uri)
    return dictOf({ type: textValue(type), data: value, mimeType: mediaOf(part, lose) });
  if (type === 'video') lose('moved', 'MCP has no video; it is written as an embedded resource');
  return writeResource(part, { blob: value });
}

/** True for a text without metadata. */
function isText({ mimeType, name, uri }: Part): boolean {
  return !mimeType && !name && !uri;
}

function writeResource(
  { type, mimeType, name, uri, rest }: Part,
  held: Readonly<Record<string, Value>>,
): Value {
  const called = textIn(name);
  const address = uri ?? textValue(called === undefined ? noName(type) : FILE + encodeName(called));
  const more = findEntry(findEntry(rest, 'mcp'), 'resource');
  const resource = dictValue([
    ...dictOf({ uri: address, mimeType, ...held }).entries,
    ...(more?.kind === 'dict' ? more.entries : []),
  ]);
  return dictOf({ type: textValue('resource'), resource });
}

/** A block with this text. */
export function textBlock(text: Value): Value {
  return dictOf({ type: textValue('text'), text });
}
